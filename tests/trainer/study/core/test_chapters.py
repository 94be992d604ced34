"""A chapter's text before it is HTML."""

from trainer.study.core.chapters import blocks, put_in_blocks, said, with_heading_ids, with_keys, with_marks, word_count

TEXT = "One.\n\n{{ plot:a }}\n\n{{ steps:b, c }}\n{{ drawing }}\n\nInline {{ plot:a }} is none.\n"


def test_blocks_stand_on_lines_by_themselves() -> None:
    assert [(one.kind, one.ids, one.line) for one in blocks(TEXT)] == [
        ("plot", ("a",), 3),
        ("steps", ("b", "c"), 5),
        ("drawing", (), 6),
    ]


def test_a_mark_takes_the_place_of_each_block_and_gives_it_back() -> None:
    marked = with_marks(TEXT)
    assert marked.count("\ue000") == 3
    html = "".join(f"<p>{part.strip()}</p>" for part in marked.split("\n\n") if part.strip())
    found = put_in_blocks(html, ["<i>1</i>", "<i>2</i>", "<i>3</i>"])
    assert [found.index(f"<i>{number}</i>") for number in (1, 2, 3)] == sorted(
        found.index(f"<i>{number}</i>") for number in (1, 2, 3)
    )
    assert "\ue000" not in found


def test_chosen_rows_are_put_into_placeholders_and_nowhere_else() -> None:
    keys, names = {"model": "llama70b"}, {"model": "Llama", "model.name": "Llama"}
    text = "{{ model }} {{ model.name }} {{ model.layers -> , 2 }} {{ f({model}) }} {model} model.layers"
    assert with_keys(text, keys, names) == (
        "Llama Llama {{ llama70b.layers -> , 2 }} {{ f(llama70b) }} {model} model.layers"
    )


def test_what_a_step_says_is_put_in() -> None:
    assert said("A {{ says:x }} b", {"x": "fast"}) == "A fast b"


def test_two_headings_of_one_name_have_two_ids() -> None:
    html, found = with_heading_ids("<h2>The <em>end</em></h2><h2>The end</h2>")
    assert [id for id, _ in found] == ["the-end", "the-end-again"]
    assert '<h2 id="the-end-again">' in html


def test_words_are_counted_without_blocks_and_placeholders() -> None:
    assert word_count("Two words {{ here }}.\n\n{{ plot:a }}\n") == 2
