// A line-by-line comparison of two texts (longest common subsequence), for choosing between two tabs' versions.

const LARGEST_TABLE = 4_000_000;

/** @returns {{same: boolean, mine: string[], theirs: string[]}[]} runs of lines, in order */
export function lineRuns(mine, theirs) {
  const a = mine.split("\n");
  const b = theirs.split("\n");
  if (a.length * b.length > LARGEST_TABLE) return [{ same: false, mine: a, theirs: b }];
  const common = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const runs = [];
  const push = (same, mineLine, theirLine) => {
    if (runs.at(-1)?.same !== same) runs.push({ same, mine: [], theirs: [] });
    if (mineLine !== undefined) runs.at(-1).mine.push(mineLine);
    if (theirLine !== undefined) runs.at(-1).theirs.push(theirLine);
  };
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) push(true, a[i++], b[j++]);
    else if (j >= b.length || (i < a.length && common[i + 1][j] >= common[i][j + 1])) push(false, a[i++], undefined);
    else push(false, undefined, b[j++]);
  }
  return runs;
}

/** Both texts in one, with the lines that differ between markers, to be merged by hand. */
export function mergeText(mine, theirs) {
  const block = (run) => ["<<<<<<< this tab", ...run.mine, "=======", ...run.theirs, ">>>>>>> saved elsewhere"];
  return lineRuns(mine, theirs).flatMap((run) => (run.same ? run.mine : block(run))).join("\n");
}
