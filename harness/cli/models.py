"""``dale models``: get the embedded model, and find out what a server takes."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.examples import examples
from harness.cli.groups import group
from harness.errors import UserError

if TYPE_CHECKING:
    from harness.providers.probe import Probe
    from harness.providers.profiles import Profile

models_app = group()


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.add_typer(models_app, name="models", help="Get the embedded model; find out what a server takes.")


@models_app.command("fetch")
def fetch_model() -> None:
    """Fetch the embedded model into your cache.

    Says what it fetches, how large it is and from where, and checks its hash.
    """
    from harness.providers.local.models import fetch

    print(fetch())


@models_app.command(
    "probe",
    epilog=examples(
        "dale models probe local",
        "dale models probe openai:MODEL",
        "dale models probe compat:MODEL@http://127.0.0.1:8101/v1 --write my-server.toml",
    ),
)
def probe_model(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="A model, written as an agent is.")],
    write: Annotated[
        Path | None, typer.Option("--write", metavar="FILE", help="Write what was found, for ?profile=FILE.")
    ] = None,
) -> None:
    """Find out by a dozen tiny calls what a model's server takes.

    Plain text, tool calls (of its own accord, forced, named, strict, one only), JSON held to a schema or not, sampling,
    the token limit, reasoning. Says which output mode to use. The calls cost what such calls cost.
    """
    from harness.text import clean_line

    if write is not None and write.exists():
        raise UserError(f"{write} exists already: remove it, or name another file.")
    probe, profile = asyncio.run(_probe(spec))
    print(f"{clean_line(spec)} over the wire format {profile.api}:")
    for finding in probe.findings:
        print(f"  {finding.name:<17}{finding.state:<9} {clean_line(finding.detail, 160)}".rstrip())
    if probe.output_mode is None:
        print("No output mode gave a readable answer: at best another model, or another api, will.")
        raise typer.Exit(1)
    print(f"Output mode to use: {probe.output_mode}")
    if write is not None:
        _write(write, spec, probe)


async def _probe(text: str) -> tuple[Probe, Profile]:
    from harness.agents.served import join
    from harness.agents.spec import KINDS, parse_spec
    from harness.providers.connections import Connections
    from harness.providers.probe import explain, probe
    from harness.providers.types import ProviderError

    spec = parse_spec(text)
    if not KINDS[spec.kind].is_model:
        models = [kind.form for kind in KINDS.values() if kind.is_model]
        raise UserError(f"{text!r} is no model and has no server to probe: write one of {', '.join(models)}.")
    profile, leave = join(spec)
    connections = Connections()
    try:
        endpoint = connections.enter(profile)
        try:
            return await probe(endpoint.send, profile), profile
        except ProviderError as error:
            raise UserError(f"{text!r} {explain(error, profile)}") from None
        finally:
            await connections.leave(endpoint)
    finally:
        if leave is not None:
            leave()


def _write(path: Path, spec: str, probe: Probe) -> None:
    from harness.providers.profile_file import profile_text

    remarks = (f"What dale models probe found of {spec}", *(f"{one.name}: {one.state}" for one in probe.findings))
    try:
        path.write_text(profile_text(probe.fields, remarks), encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror or error}.") from None
    print(f"Written to {path}: use it as ?profile={path}")
