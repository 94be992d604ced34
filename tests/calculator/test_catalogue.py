"""The catalogue: complete, plausible, found by the names that people type."""

import datetime as dt
from collections.abc import Mapping

import pytest

from calculator import catalogue
from calculator.catalogue import DATA, rows
from calculator.core.dtypes import DTYPES
from calculator.core.hardware import Accelerator
from calculator.core.llms import LanguageModel
from calculator.core.units import GIB, MIB

TABLES = ("accelerators", "models", "links", "prices", "planning")
ACCELERATORS = list(catalogue.accelerators().values())
MODELS = list(catalogue.models().values())


@pytest.mark.parametrize("table", TABLES)
def test_every_row_says_where_it_is_from_when_it_was_read_and_how_sure_it_is(table: str) -> None:
    for key, row in rows(table).items():
        assert len(row["source"]) > 3, key
        assert dt.date(2026, 1, 1) <= row["read"], key
        assert row["confidence"] in {"A", "A-", "B", "C"}, key
        assert key.isidentifier(), key
        assert key == key.lower()


def test_there_are_enough_rows() -> None:
    assert len(ACCELERATORS) >= 22
    assert len(MODELS) >= 25
    assert {"nvlink4", "infiniband_ndr", "ethernet_400", "pcie5", "nvme_gen4"} <= set(catalogue.links())


@pytest.mark.parametrize("typed", ["llama70b", "llama-70b", "Llama-3-70B", "LLAMA 3.3 70B", "meta-llama/Llama-3.1-70B"])
def test_the_reference_model_answers_to_what_people_type(typed: str) -> None:
    assert catalogue.model(typed).key == "llama70b"


@pytest.mark.parametrize(
    ("typed", "key"), [("h100", "h100"), ("H100-SXM", "h100"), ("h200", "h200"), ("4090", "rtx4090")]
)
def test_gpus_answer_to_what_people_type(typed: str, key: str) -> None:
    assert catalogue.accelerator(typed).key == key


@pytest.mark.parametrize(
    ("find", "typed", "meant"),
    [
        (catalogue.model, "lama-70b", "llama70b"),
        (catalogue.accelerator, "h10", "h100"),
        (catalogue.link, "nvlnk", "nvlink4"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest(find: object, typed: str, meant: str) -> None:
    with pytest.raises(catalogue.UnknownName) as unknown:
        find(typed)  # type: ignore[operator]
    assert unknown.value.nearest[0] == meant
    assert meant in str(unknown.value)


def test_a_name_like_nothing_has_no_nearest_and_an_empty_one_is_unknown() -> None:
    for typed in ("zzzzzzzz", "", "---"):
        with pytest.raises(catalogue.UnknownName) as unknown:
            catalogue.model(typed)
        assert unknown.value.nearest == []


@pytest.mark.parametrize("table", [catalogue.models(), catalogue.accelerators(), catalogue.links()])
def test_no_name_means_two_rows(table: Mapping[str, object]) -> None:
    owners: dict[str, str] = {}
    for key, row in table.items():
        for name in catalogue.names_of(row):
            assert owners.setdefault(catalogue.plain(name), key) == key


@pytest.mark.parametrize("gpu", ACCELERATORS, ids=lambda gpu: gpu.key)
def test_an_accelerator_is_plausible(gpu: Accelerator) -> None:
    assert 8 * GIB <= gpu.memory_marketed_bytes <= 512 * GIB
    assert 0.2e12 <= gpu.hbm_bandwidth_bytes_per_s <= 12e12
    assert 50e12 <= gpu.bf16_dense_flops_per_s <= 3e15
    # Half the bits, twice the rate: more than that is a sparse figure read as a dense one. GeForce cards run BF16 with
    # 32-bit sums at half rate, so that their 8-bit rate may be four times as high.
    most = (4.05 if gpu.name.startswith("GeForce") else 2.05) * gpu.bf16_dense_flops_per_s
    for peak in (gpu.fp8_dense_flops_per_s, gpu.int8_dense_flops_per_s):
        assert peak is None or peak <= most
    ridge = gpu.bf16_dense_flops_per_s / gpu.hbm_bandwidth_bytes_per_s
    assert 30 < ridge < 700
    assert gpu.link_domain_gpus >= 1
    assert (gpu.link_domain_gpus > 1) <= (gpu.link_bandwidth_bytes_per_s > 0)


@pytest.mark.parametrize("gpu", ACCELERATORS, ids=lambda gpu: gpu.key)
def test_what_a_driver_reports_is_no_more_than_the_box_says_and_a_framework_sees_less(gpu: Accelerator) -> None:
    reported, framework = gpu.memory_reported_bytes, gpu.memory_framework_bytes
    if reported is not None:
        assert 0.9 * gpu.memory_marketed_bytes < reported < 1.08 * gpu.memory_marketed_bytes
    if framework is not None:
        assert 0.9 * gpu.memory_marketed_bytes < framework <= 1.005 * (reported or gpu.memory_marketed_bytes)


@pytest.mark.parametrize(
    ("key", "sparse_tflop_per_s"),
    [("a100", 624), ("l4", 242), ("l40s", 733), ("h100", 1979), ("h100_pcie", 1513), ("h200", 1979), ("b200", 4500)],
)
def test_dense_figures_are_half_of_the_sparse_ones_on_the_sheet(key: str, sparse_tflop_per_s: float) -> None:
    dense = catalogue.accelerator(key).bf16_dense_flops_per_s
    assert dense * 2 == pytest.approx(sparse_tflop_per_s * 1e12, rel=0.02)


def test_the_h100_keeps_both_memories_and_its_dense_peaks() -> None:
    h100 = catalogue.accelerator("h100")
    assert h100.memory_marketed_bytes == 80 * GIB
    assert h100.memory_reported_bytes == 81_559 * MIB
    assert h100.bf16_dense_flops_per_s == 989.5e12
    assert h100.fp8_dense_flops_per_s == 1979e12
    assert h100.hbm_bandwidth_bytes_per_s == 3.35e12
    assert h100.link_bandwidth_bytes_per_s == 450e9


def test_weights_of_a_format_the_part_cannot_multiply_use_its_16_bit_peak() -> None:
    a100, b200 = catalogue.accelerator("a100"), catalogue.accelerator("b200")
    assert a100.dense_flops_per_s(DTYPES["fp8"]) == a100.bf16_dense_flops_per_s
    assert a100.dense_flops_per_s(DTYPES["int8"]) == a100.int8_dense_flops_per_s
    assert b200.dense_flops_per_s(DTYPES["nvfp4"]) == b200.fp4_dense_flops_per_s
    assert b200.dense_flops_per_s(DTYPES["int4"]) == b200.bf16_dense_flops_per_s


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.key)
def test_a_model_is_consistent_with_itself(model: LanguageModel) -> None:
    assert model.attention in {"mha", "gqa", "mla"}
    assert model.native_dtype in DTYPES
    assert model.heads % model.kv_heads == 0
    assert (model.attention == "mha") == (model.heads == model.kv_heads)
    assert (model.attention == "mla") == (model.kv_lora_rank > 0)
    assert 0 <= model.sliding_layers < model.layers
    assert (model.sliding_layers > 0) == (model.sliding_window_tokens > 0)
    assert 0 < model.active_params <= model.params
    assert (model.experts > 0) == (model.active_params < model.params)
    assert model.expert_params < model.params
    assert model.moe_layers <= model.layers
    assert model.max_context_tokens >= 1024


@pytest.mark.parametrize("model", [m for m in MODELS if m.experts], ids=lambda model: model.key)
def test_the_experts_that_a_token_skips_are_what_active_parameters_leave_out(model: LanguageModel) -> None:
    skipped = model.expert_params * (1 - model.experts_active / model.experts)
    assert model.params - model.active_params == pytest.approx(skipped, rel=0.002)


def test_another_parameter_count_keeps_the_architecture_and_the_active_share() -> None:
    mixtral = catalogue.model("mixtral8x7b")
    half = mixtral.with_params(mixtral.params / 2)
    assert half.active_params == pytest.approx(mixtral.active_params / 2)
    assert half.layers == mixtral.layers


def test_planning_constants_are_the_ones_that_every_design_uses() -> None:
    values = {key: constant.value for key, constant in catalogue.planning().items()}
    assert values == {
        "prefill_mfu": 0.5,
        "decode_mbu": 0.7,
        "hbm_usable_share": 0.95,
        "reference_params": 70.6e9,
        "reference_params_rounded": 70e9,
        "h100_usd_per_gpu_hour": 2.5,
        "network_all_reduce_extra_s": pytest.approx(17e-6),
        "all_reduce_latency_s": pytest.approx(8e-6),
        "draft_acceptance": 0.7,
    }


def test_the_reference_count_is_the_published_one_rounded() -> None:
    assert round(catalogue.model("llama70b").params, -8) == catalogue.planning()["reference_params"].value


def test_prices_belong_to_accelerators_and_one_of_each_is_assumed() -> None:
    assumed = [price.accelerator for price in catalogue.prices().values() if price.planning]
    assert len(assumed) == len(set(assumed))
    assert {price.accelerator for price in catalogue.prices().values()} <= set(catalogue.accelerators())
    assert all(0.05 < price.usd_per_gpu_hour < 50 and price.terms for price in catalogue.prices().values())
    planned = catalogue.price_of("h100")
    assert planned is not None
    assert planned.usd_per_gpu_hour == catalogue.planning()["h100_usd_per_gpu_hour"].value
    assert catalogue.price_of("gaudi3") is None


def test_links_are_one_direction() -> None:
    assert catalogue.link("infiniband").bandwidth_bytes_per_s == 50e9
    assert catalogue.link("25gbe").bandwidth_bytes_per_s == 3.125e9
    for gpu in ("h100", "a100", "b200"):
        generation = {"h100": "nvlink4", "a100": "nvlink3", "b200": "nvlink5"}[gpu]
        bandwidth = catalogue.accelerator(gpu).link_bandwidth_bytes_per_s
        assert catalogue.link(generation).bandwidth_bytes_per_s == bandwidth


def test_the_tables_lie_beside_the_code() -> None:
    assert DATA.endswith("calculator/data")


@pytest.mark.parametrize("table", ["accelerators", "models", "links", "prices", "planning"])
def test_a_table_read_row_by_row_is_the_table_read_at_once(table: str) -> None:
    whole = rows(table)
    one_by_one = catalogue.Rows(table, lambda key, row: dict(row))
    assert list(one_by_one) == list(whole)
    assert dict(one_by_one) == whole


def test_asking_for_one_row_parses_one_row() -> None:
    table = catalogue.Rows("models", catalogue._model)
    (found,) = {row.key for row in table.mentioning("metallamallama318b")}
    assert found == "llama8b"
    assert set(table._made) == {"llama8b"}
