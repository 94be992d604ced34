"""What people type: defaults, refusals by name, and nothing silently changed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator.core.inputs import RANGES, InputError, InputErrors
from calculator.parsing import FIELDS, read_inputs

BASE = {"model": "llama-70b", "gpu": "h100", "gpus": "4"}


def refusals(**typed: str) -> dict[str, str]:
    with pytest.raises(InputErrors) as refused:
        read_inputs(BASE | typed)
    return {error.field: error.message for error in refused.value.errors}


def test_what_is_left_out_has_the_planning_value() -> None:
    inputs = read_inputs({"model": "llama-70b", "gpu": "h100"})
    assert (inputs.gpus, inputs.batch, inputs.seq_len, inputs.prompt_len, inputs.output_len) == (1, 1, 8192, 7680, 512)
    assert (inputs.mfu, inputs.mbu, inputs.mem_util, inputs.price) == (0.5, 0.7, 0.95, 2.5)
    assert (inputs.dtype, inputs.kv_dtype, inputs.budget) == ("bf16", "bf16", "simple")


def test_weights_are_in_the_models_own_format_unless_said() -> None:
    assert read_inputs({"model": "deepseek-v3", "gpu": "h200"}).dtype == "fp8"
    assert read_inputs({"model": "gpt-oss-20b", "gpu": "h200"}).dtype == "mxfp4"
    assert read_inputs({"model": "gpt-oss-20b", "gpu": "h200", "dtype": "BF16"}).dtype == "bf16"


@pytest.mark.parametrize(
    ("typed", "seq_len", "prompt_len", "output_len"),
    [
        ({"seq_len": "1000"}, 1000, 500, 500),
        ({"seq_len": "2"}, 2, 1, 1),
        ({"seq_len": "131072"}, 131_072, 130_560, 512),
        ({"prompt_len": "100000"}, 100_512, 100_000, 512),
        ({"prompt_len": "1", "output_len": "1"}, 2, 1, 1),
        ({"seq_len": "1000", "prompt_len": "900"}, 1000, 900, 100),
        ({"seq_len": "9000", "prompt_len": "100", "output_len": "50"}, 9000, 100, 50),
        ({"output_len": "1000"}, 8192, 7192, 1000),
    ],
)
def test_lengths_that_are_left_out_follow_from_the_others(
    typed: dict[str, str], seq_len: int, prompt_len: int, output_len: int
) -> None:
    inputs = read_inputs(BASE | typed)
    assert (inputs.seq_len, inputs.prompt_len, inputs.output_len) == (seq_len, prompt_len, output_len)


def test_a_model_with_a_short_context_has_a_default_that_it_can_hold() -> None:
    assert read_inputs({"model": "llama-2-7b", "gpu": "h100"}).seq_len == 4096


def test_every_refused_field_is_named_at_once() -> None:
    found = refusals(model="lama-70b", gpu="", gpus="0", batch="-3", seq_len="1e3", price="free")
    assert set(found) == {"model", "gpu", "gpus", "batch", "seq_len", "price"}
    assert "llama70b" in found["model"]
    assert "1 to 1,024" in found["gpus"]


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("gpus", "four"),
        ("gpus", "4.0"),
        ("gpus", "4 GPUs"),
        ("gpus", "٤"),
        ("gpus", "99999999999999999999"),
        ("batch", "1_000"),
        ("seq_len", "0x10"),
        ("seq_len", "1"),
        ("mem_util", "95%"),
        ("mem_util", "0"),
        ("mem_util", "1.01"),
        ("mfu", "nan"),
        ("mbu", "inf"),
        ("price", "1e999"),
        ("price", "-0.0"),
        ("params", "70B"),
        ("params", "1e400"),
        ("params", "0"),
        ("dtype", "fp7"),
        ("kv_dtype", "mxfp4"),
        ("budget", "whiteboard"),
        ("tp", "3"),
        ("tp", "0"),
        ("tp", "16"),
        ("link", "string"),
        ("engine", "tgi"),
        ("engine_version", "newest"),
        ("max_num_seqs", "0"),
        ("max_model_len", "1"),
        ("max_num_batched_tokens", "8"),
        ("cached_len", "-1"),
        ("cached_len", "9999"),
        ("draft", "llama-9b"),
        ("draft_len", "2"),
        ("acceptance", "0.5"),
        ("batch", "\x00"),
        ("batch", "9" * 10_000),
        ("model", "x" * 10_000),
        ("dtype", "y" * 10_000),
    ],
)
def test_a_value_that_will_not_do_is_refused_by_name_with_range_and_example(field: str, typed: str) -> None:
    found = refusals(**{field: typed})
    assert list(found) == [field]
    assert "must be" in found[field]
    assert "for example" in found[field]
    assert len(found[field]) < 400


def test_a_field_that_does_not_exist_is_refused() -> None:
    assert list(refusals(seqlen="8192")) == ["seqlen"]


def test_lengths_that_do_not_go_together_are_refused() -> None:
    assert "at least 9,000" in refusals(seq_len="8192", prompt_len="8000", output_len="1000")["seq_len"]
    assert "131,072" in refusals(seq_len="131073")["seq_len"]
    assert "seq_len" in refusals(seq_len="100", output_len="100")


def test_the_parameter_count_given_replaces_the_catalogues() -> None:
    assert read_inputs(BASE | {"params": "70e9"}).model.params == 70e9
    assert read_inputs(BASE | {"params": "70000000000"}).model.active_params == 70e9


@given(st.dictionaries(st.sampled_from((*FIELDS, "other")), st.text(max_size=30)))
def test_anything_typed_is_either_read_or_refused_by_name(typed: dict[str, str]) -> None:
    errors: tuple[InputError, ...] = ()
    try:
        gpus = read_inputs(typed).gpus
    except InputErrors as refused:
        gpus, errors = 0, refused.errors
    assert (gpus >= 1) != bool(errors)
    assert all(error.field and error.allowed and error.example for error in errors)


@given(field=st.sampled_from(sorted(RANGES)), number=st.floats(allow_nan=False))
def test_a_number_is_never_clamped(field: str, number: float) -> None:
    typed = str(int(number)) if RANGES[field].whole and abs(number) < 1e15 else repr(number)
    try:
        inputs = read_inputs(
            BASE | ({"draft": "llama-8b"} if field in {"draft_len", "acceptance"} else {}) | {field: typed}
        )
    except InputErrors:
        return
    used = inputs.as_dict()[field]
    assert used == float(typed)


@pytest.mark.parametrize(
    "asked",
    [
        {"model": "gpt-oss-120b", "params": "70e9"},
        {"model": "llama-70b", "params": "1e6", "engine": "vllm"},
        {"model": "llama4_scout", "gpus": "8", "params": "70e9", "dtype": "mxfp4"},
    ],
)
def test_fewer_parameters_than_experts_and_embeddings_have_are_refused(asked: dict[str, str]) -> None:
    with pytest.raises(InputErrors) as refused:
        read_inputs({"gpu": "h100"} | asked)
    (error,) = refused.value.errors
    assert error.field == "params"
    assert "experts and embeddings" in error.allowed
    assert read_inputs({"gpu": "h100"} | asked | {"params": error.example}).model.params == float(error.example)


def test_a_sequence_longer_than_the_engine_is_started_for_is_refused() -> None:
    asked = {"model": "llama-70b", "gpu": "h100", "gpus": "4", "engine": "vllm"}
    with pytest.raises(InputErrors, match=r"^seq_len: 8,192 is longer .* at most the 4,096 tokens"):
        read_inputs(asked | {"max_model_len": "4096", "seq_len": "8192"})
    with pytest.raises(InputErrors, match=r"^max_model_len: 200,000 is beyond the model"):
        read_inputs(asked | {"max_model_len": "200000"})
