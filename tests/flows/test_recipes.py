"""Image, compose file and Kubernetes example, read: no test can start them here, and each of these would stop one."""

from __future__ import annotations

import fnmatch
import importlib
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

import goldassay
from goldassay.cli.app import run_command as main
from goldassay.cli.filling import IN_IMAGE
from goldassay.cli.on_server import with_keys

ROOT = Path(__file__).resolve().parents[2]
DEPLOYMENTS = ROOT / "deployments"
USER = "10001"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `goldassay init` writes: the folder in which the image is built."""
    folder = tmp_path_factory.mktemp("project")
    assert main(["init", str(folder), "--app", "atlas"]) == 0
    return folder


def _yaml(name: str) -> list[dict[str, Any]]:
    return [one for one in yaml.safe_load_all((DEPLOYMENTS / name).read_text(encoding="utf-8")) if one is not None]


def _instructions(project: Path) -> list[str]:
    text = (project / "deployments" / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@pytest.mark.parametrize("name", ["compose.yaml", "kubernetes.yaml", "automations.yaml", "prefect.yaml"])
def test_every_file_is_valid_yaml(name):
    """Syntax, for files that no test can start here."""
    assert all(isinstance(document, dict) for document in _yaml(name))


class TestImage:
    def test_everything_it_copies_is_written_by_init(self, project):
        """A COPY of a missing file is found before an hour of building, in the folder where people build."""
        copied = [
            source for line in _instructions(project) if line.startswith("COPY ") for source in line.split()[1:-1]
        ]

        assert copied == ["constraints/image.txt", "wheels/", "."]
        assert all((project / source).exists() for source in copied)
        assert any((project / "wheels").iterdir())

    def test_it_holds_this_very_version_and_pinned_dependencies(self, project):
        """The library of the image is the one whose template the project holds; S3 and PostgreSQL are in it."""
        text = "\n".join(_instructions(project))
        pinned = (project / "constraints" / "image.txt").read_text(encoding="utf-8")

        assert f"ARG GOLDASSAY_VERSION={goldassay.__version__}" in text
        assert "--require-hashes -r constraints/image.txt" in text
        for name in ("prefect", "s3fs", "psycopg", "duckdb"):
            assert re.search(rf"(?m)^{name}==\S+ .*\\$", pinned), name

    def test_the_pinned_versions_are_those_that_are_tested(self):
        """constraints/image.txt and constraints/dev.txt come from one `make lock`."""

        def versions(name: str) -> set[str]:
            text = (ROOT / "constraints" / name).read_text(encoding="utf-8")
            return set(re.findall(r"(?m)^([a-z0-9][a-z0-9._-]*==\S+)", text))

        build = {one for one in versions("run.txt") if one not in versions("dev.txt")}
        assert versions("image.txt") <= versions("dev.txt") | build

    def test_its_user_is_no_root_and_may_write_where_volumes_are_mounted(self, project):
        """A fresh volume takes its owner from the folder in the image, so the folders are made and given before."""
        lines = _instructions(project)
        made = next(line for line in lines if "mkdir" in line)

        assert f"USER {USER}" in lines
        assert lines.index(made) < lines.index(f"USER {USER}")
        assert f"chown -R {USER}:{USER} {IN_IMAGE}" in made
        for folder in ("store", "logs", ".goldassay"):
            assert f" {folder} " in made
        assert f"WORKDIR {IN_IMAGE}" in lines

    @pytest.mark.parametrize("name", ["logs/", "store/", ".goldassay/", ".git/", ".env", ".venv*/"])
    def test_logs_verdicts_and_keys_stay_out_of_it(self, project, name):
        """`COPY . .` would bake them into every layer."""
        ignored = (project / ".dockerignore").read_text(encoding="utf-8").splitlines()

        assert name in ignored
        assert not any(fnmatch.fnmatch("wheels/README.md", line) for line in ignored)


class TestCompose:
    def test_it_joins_a_server_a_database_the_deployments_and_a_worker(self):
        """Each waits for the one before it; only this machine reaches the page."""
        services = _yaml("compose.yaml")[0]["services"]

        assert set(services) == {"database", "server", "deploy", "worker"}
        assert services["server"]["depends_on"] == {"database": {"condition": "service_healthy"}}
        assert services["deploy"]["depends_on"] == {"server": {"condition": "service_healthy"}}
        assert services["worker"]["depends_on"] == {"deploy": {"condition": "service_completed_successfully"}}
        assert services["server"]["ports"] == ["127.0.0.1:4200:4200"]
        assert "PASSWORD:?" in services["database"]["environment"]["POSTGRES_PASSWORD"]

    def test_it_deploys_from_inside_of_the_image(self):
        """A deployment made on the host would send the worker to a folder that the container does not have."""
        services = _yaml("compose.yaml")[0]["services"]

        assert services["deploy"]["command"] == "goldassay deploy"
        assert services["deploy"]["restart"] == "no"
        for shared in ("build", "image", "environment", "volumes"):
            assert services["deploy"][shared] == services["worker"][shared]
        assert services["worker"]["build"] == {"context": "..", "dockerfile": "deployments/Dockerfile"}
        assert services["worker"]["environment"]["PREFECT_API_URL"] == "http://server:4200/api"

    def test_verdicts_and_journals_outlive_the_container(self):
        """Both lie in named volumes; the log is read only."""
        content = _yaml("compose.yaml")[0]
        mounted = dict(one.split(":", 1) for one in content["services"]["worker"]["volumes"])

        assert mounted == {
            "../logs": f"{IN_IMAGE}/logs:ro",
            "store": f"{IN_IMAGE}/store",
            "state": f"{IN_IMAGE}/.goldassay",
        }
        assert {"store", "state"} <= set(content["volumes"])

    def test_a_restart_of_the_server_ends_no_night(self):
        """A night holds a lease on its deployment's limit: it lies on a volume, in a place that Prefect knows."""
        content = _yaml("compose.yaml")[0]
        server = content["services"]["server"]
        module = importlib.import_module(server["environment"]["PREFECT_SERVER_CONCURRENCY_LEASE_STORAGE"])

        assert server["volumes"] == [f"server:{server['environment']['PREFECT_HOME']}"]
        assert "server" in content["volumes"]
        assert module.ConcurrencyLeaseStorage.__module__.endswith("filesystem")


class TestPools:
    def test_a_container_of_the_docker_pool_keeps_its_verdicts_and_reaches_the_server(self):
        """Its disk dies with the run, so store and journals are volumes, one set for each app."""
        pool = _yaml("prefect.yaml")[0]["definitions"]["pools"]["docker"]["job_variables"]

        assert pool["volumes"] == [
            f"goldassay-${{app}}-store:{IN_IMAGE}/store",
            f"goldassay-${{app}}-state:{IN_IMAGE}/.goldassay",
            f"${{project}}/logs:{IN_IMAGE}/logs:ro",
        ]
        assert pool["network_mode"] == "host"

    def test_no_key_stands_in_a_deployment(self):
        """Deployments are shown to everybody who sees the server's page."""
        for pool in _yaml("prefect.yaml")[0]["definitions"]["pools"].values():
            assert set(pool["job_variables"]["env"]) == {"PREFECT_FLOWS_HEARTBEAT_FREQUENCY"}

    def test_jobs_of_a_kubernetes_pool_get_the_secret(self):
        """The worker's own environment does not reach the jobs it starts."""
        container: dict[str, Any] = {"name": "prefect-job", "env": "{{ env }}"}
        manifest = {"spec": {"template": {"spec": {"containers": [container]}}}}

        with_keys({"job_configuration": {"job_manifest": manifest}})

        assert container["envFrom"] == [{"secretRef": {"name": "goldassay-keys", "optional": True}}]
        assert with_keys({"job_configuration": {"command": "x"}}) == {"job_configuration": {"command": "x"}}

    def test_the_accounts_of_the_kubernetes_example_exist(self):
        """The worker's may start jobs; the jobs' own has no right in the cluster and is the one the pool names."""
        found = _yaml("kubernetes.yaml")
        accounts = {one["metadata"]["name"]: one for one in found if one["kind"] == "ServiceAccount"}
        (worker,) = (one for one in found if one["kind"] == "Deployment")
        pool = _yaml("prefect.yaml")[0]["definitions"]["pools"]["kubernetes"]

        spec = worker["spec"]["template"]["spec"]
        assert spec["serviceAccountName"] in accounts
        assert pool["job_variables"]["service_account_name"] in accounts
        assert not accounts["goldassay-run"]["automountServiceAccountToken"]
        assert pool["name"] in spec["containers"][0]["command"]
        assert spec["securityContext"]["runAsUser"] == int(USER)
        assert {one["metadata"].get("namespace", "goldassay") for one in found} == {pool["job_variables"]["namespace"]}
