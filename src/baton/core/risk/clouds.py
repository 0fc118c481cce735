"""What deploys or changes what runs elsewhere: clouds, clusters, containers, infrastructure."""

from __future__ import annotations

import re

from baton.core.risk.line import Line, Rule, words
from baton.core.risk.rows import DESTROYS, beyond, decides, does

_DEPLOYS = "it deploys, or changes what runs elsewhere"
_REMOVES = "it removes containers, images or volumes"
_RUNNING = words("up down launch scale restart stop start suspend resume sync set unset rm destroy cancel")
CHANGES = (
    DESTROYS
    | _RUNNING
    | words(
        "create update remove add patch import attach detach put replace edit move enable disable "
        "deallocate redeploy "
        "failover swap upgrade downgrade install provision bootstrap invoke execute rotate regenerate "
        "restore setup mv cp "
        "rb mb del rsync mirror copy sync modify resize rebuild rename grant call trigger approve assign"
    )
)
"""Verbs that change something on a cloud's command line."""

_ONLY_READS: dict[str, str] = {
    "kubectl": "get, describe, logs, explain, top, diff, version, api-resources, api-versions, cluster-info, "
    "config, auth, "
    "rollout status, rollout history, wait, port-forward, proxy, exec, attach, completion, plugin, "
    "kustomize, options, "
    "events, krew, help",
    "oc": "get, describe, logs, explain, status, whoami, login, logout, projects, project, version, diff, "
    "rollout status, "
    "rollout history, exec, rsh, api-resources, port-forward, config, help",
    "helm": "list, ls, get, history, status, show, template, lint, search, dependency, dep, env, version, "
    "pull, repo, verify, "
    "package, create, plugin, completion, test, help, inspect, fetch",
    "helmfile": "list, diff, lint, template, build, deps, fetch, repos, status, test, version, init, show-dag",
    "terraform": "init, plan, validate, fmt, show, output, state list, state show, state pull, graph, providers, "
    "version, "
    "console, get, login, logout, test, workspace list, workspace show, workspace select, workspace "
    "new, metadata, help",
    "tofu": "init, plan, validate, fmt, show, output, state list, state show, state pull, graph, providers, "
    "version, console, "
    "get, login, logout, test, workspace list, workspace show, workspace select, workspace new, metadata, help",
    "terragrunt": "init, plan, validate, fmt, show, output, graph, run-all plan, run-all validate, run-all output, "
    "hclfmt, "
    "hclvalidate, render-json, state list, state show, version, graph-dependencies, output-module-groups",
    "pulumi": "preview, stack, stack ls, config, login, logout, whoami, logs, plugin, about, version, new, "
    "convert, schema",
    "cdk": "synth, synthesize, diff, list, ls, init, doctor, docs, context, metadata, notices, acknowledge, version",
    "cdktf": "synth, diff, list, init, get, convert, login, output, debug, watch",
    "argocd": "version, login, logout, context, app get, app list, app diff, app history, app logs, app "
    "manifests, app wait, "
    "cluster list, cluster get, repo list, proj list, proj get, account list, account get-user-info",
    "flux": "get, check, logs, diff, events, export, stats, trace, tree, version, completion, build, pull, list",
    "istioctl": "analyze, version, proxy-status, proxy-config, ps, pc, validate, dashboard, describe, manifest, "
    "experimental, "
    "verify-install, bug-report",
    "velero": "get, version, describe, backup get, backup describe, backup logs, restore get, restore "
    "describe, restore logs, "
    "schedule get, completion, debug",
    "vault": "status, read, list, kv get, kv list, kv metadata, version, login, print, path-help, token "
    "lookup, policy read, "
    "policy list, secrets list, auth list, audit list, lease lookup, debug",
    "nomad": "status, job status, job plan, job inspect, job validate, job history, node status, alloc logs, "
    "alloc status, "
    "plan, version, ui, server members, deployment status, deployment list, job init, fmt",
    "consul": "members, info, kv get, catalog, version, monitor, watch, operator raft, debug, validate, agent, "
    "intention check",
    "etcdctl": "get, endpoint, member list, version, watch, check, alarm list, user list, role list, lease "
    "list, auth status",
    "kubeadm": "version, config, token list, certs check-expiration, upgrade plan, help",
    "packer": "validate, fmt, inspect, init, console, version, hcl2_upgrade, plugins",
    "skaffold": "build, dev, debug, render, diagnose, config, schema, version, init, test, verify, filter, inspect",
    "serverless": "print, package, info, logs, offline, help, plugin, test, doctor, invoke local, dev",
    "sam": "build, validate, init, local, logs, list, package, pipeline init, docs, traces",
    "kamal": "config, details, version, audit, docs, app details, app logs, app version, app images, init, "
    "registry login, "
    "secrets print, server exec, lock status, build details",
    "copilot": "svc ls, svc show, svc status, svc logs, svc init, svc package, app ls, app show, env ls, env "
    "show, init, "
    "version, docs, job ls, job logs, task ls",
    "eksctl": "get, version, info, utils describe-stacks, utils schema, completion, help",
    "stripe": "listen, logs, login, version, help, config, status, get, samples, completion, open, charges list, "
    "charges retrieve, customers list, customers retrieve, events list, events retrieve, invoices "
    "list, invoices retrieve, "
    "products list, prices list, payment_intents list, payment_intents retrieve, subscriptions list, "
    "balance retrieve, "
    "community, feedback, resources, serve",
    "ansible-galaxy": "list, search, info, install, init, role, collection",
    "nixos-rebuild": "build, dry-build, dry-activate, build-vm, list-generations, repl, edit",
}
"""Programs whose every other command is risky."""

_CLOUDS = words(
    "gcloud az ibmcloud oci linode-cli hcloud scw doctl vultr-cli civo exo upctl heroku fly flyctl "
    "railway render netlify "
    "firebase wrangler eb cf dokku amplify gsutil s3cmd s5cmd mc b2 azcopy rclone aliyun tccli yc "
    "openstack juju k3sup "
    "neonctl planetscale pscale turso atlas appwrite convex modal "
    "databricks snow confluent ccloud sentry-cli datadog-ci pagerduty twilio sendgrid slack jira "
    "linear notion discord "
    "auth0 okta launchdarkly ldcli cloudflared tailscale ngrok spacectl env0 dep"
)
"""Programs that change something elsewhere if their first known verb does."""

_AWS_READS = re.compile(
    r"(?:describe|get|list|ls|head|batch-get|scan|query|tail|wait|filter|lookup|search|select|simulate|validate|estimate"
    r"|presign|test|decode|detect|view|help|download|check|preview|configure|login|export|generate|show|evaluate|discover)"
    r"(?:-|$)"
)
_AWS_LOCAL = words("configure help sso sts history")
_BUCKET = ("s3://", "gs://", "az://", "oss://", "cos://")


def changes_elsewhere(line: Line) -> str:
    return _DEPLOYS if decides(line, CHANGES) and not line.is_rehearsal and not _only_downloads(line) else ""


def _only_downloads(line: Line) -> bool:
    """Whether a copy ends here: `gsutil cp gs://bucket/x .`"""
    copied = line.begins("cp", "rsync", "sync", "copy", "get", "mirror", "storage cp", "storage rsync")
    if not copied or len(line.operands) < 3:
        return False
    source, target = line.operands[-2:]
    return _is_far(source) and not _is_far(target)


def _is_far(place: str) -> bool:
    return place.startswith((*_BUCKET, "http://", "https://")) or bool(re.match(r"[\w-]{2,}:", place))


def does_more_than_read(line: Line) -> str:
    reads = [each.strip() for each in _ONLY_READS[line.program].split(",")]
    return _DEPLOYS if beyond(line, reads) else ""


def aws(line: Line) -> str:
    service, verb = ([*line.commands[1], "", ""])[:2]
    if line.is_rehearsal or not verb or service in _AWS_LOCAL:
        return ""
    if service == "s3":
        writes = verb in ("rm", "rb", "mb", "mv") or (verb in ("cp", "sync") and line.operands[-1].startswith("s3://"))
        return _DEPLOYS if writes else ""
    return "" if _AWS_READS.match(verb) else _DEPLOYS


_CONTAINER_ROWS = does(
    _REMOVES,
    verbs="system prune, system reset, volume rm, volume prune, image prune, container prune, network "
    "prune, builder prune, "
    "swarm leave, service update, service rm, service scale, service create, service rollback, stack "
    "deploy, stack rm, "
    "secret rm, config rm, node rm, node update, pod rm, machine rm, context rm, plugin rm",
)


def containers(line: Line) -> str:
    if reason := _CONTAINER_ROWS(line):
        return reason
    if line.begins("rm", "rmi", "container rm", "image rm", "compose rm") and line.has(
        "-f", "--force", "-v", "--volumes"
    ):
        return _REMOVES
    if (line.begins("compose down") or "compose" in line.program or "compose" in line.operands) and _downs_volumes(
        line
    ):
        return "it removes volumes and what is in them"
    return _reaches_host(line) if line.begins("run", "create", "exec", "container run", "compose run") else ""


def _downs_volumes(line: Line) -> bool:
    return bool({"down", "rm"} & {*line.operands}) and line.has("-v", "--volumes")


def _reaches_host(line: Line) -> str:
    mounted = any(text.startswith("/:") or "docker.sock" in text or text == "type=bind,source=/" for text in line.texts)
    whole = mounted or line.has("--privileged")
    return "it gives a container the whole machine" if whole else ""


def playbook(line: Line) -> str:
    quiet = line.is_rehearsal or line.has("-C", "--list-tasks", "--list-hosts", "--list-tags") or not line.args
    return "" if quiet else _DEPLOYS


_VERCEL_READS = "dev, ls, list, logs, build, link, whoami, inspect, login, pull, env ls, env pull, teams ls, "
"help, init, switch, domains ls"
REACHING: dict[str, Rule] = {
    **dict.fromkeys(_CLOUDS, changes_elsewhere),
    **dict.fromkeys(_ONLY_READS, does_more_than_read),
    "aws": aws,
    "bx": changes_elsewhere,
    **dict.fromkeys(("docker", "podman", "docker-compose", "podman-compose", "nerdctl", "finch"), containers),
    **dict.fromkeys(
        ("ansible-playbook", "ansible", "puppet", "chef-client", "salt", "salt-call", "chef-solo"), playbook
    ),
    "gcloud": lambda line: "" if line.begins("config", "auth", "components", "init") else changes_elsewhere(line),
    **dict.fromkeys(("vercel", "now"), does(_DEPLOYS, unless=_VERCEL_READS)),
    "cap": does(_DEPLOYS, unless="-T, --tasks, -P"),
}
