"""Files that hold secrets by custom, told by their names."""

from __future__ import annotations

from fnmatch import fnmatchcase

_NAMES = (
    *(".env", ".env.*", "*.env", ".envrc", ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".my.cnf", ".htpasswd"),
    *(
        ".git-credentials",
        ".dockercfg",
        ".vault-token",
        ".boto",
        ".s3cfg",
        "credentials",
        "credentials.*",
        "token.json",
    ),
    *("id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "*.pem", "*.key", "*.p8", "*.p12", "*.pfx", "*.ppk", "*.jks"),
    *("*.keystore", "*.kdbx", "*.kdb", "*.ovpn", "*.tfstate", "*.tfstate.*", "*.tfvars", "*.token", "kubeconfig"),
    *(
        "service-account*.json",
        "service_account*.json",
        "client_secret*.json",
        "*-credentials.json",
        "*_credentials.json",
    ),
    *("secret.*", "secrets.*", "*.secret", "*.secrets", "*-secret.y*ml", "*-secrets.y*ml", "auth.json", ".terraformrc"),
)
_HARMLESS = ("*.example", "*.sample", "*.template", "*.dist", "*.tmpl", "*.pub", "*.py", "*.go", "*.rs", "*.ts", "*.js")
_FOLDERS = frozenset({".ssh", ".aws", ".gnupg", ".azure", ".kube", ".docker", "secrets"})


def looks_secret(path: str) -> bool:
    """Whether the file at `path` is of a kind that people keep secrets in."""
    *folders, name = path.casefold().split("/")
    if any(fnmatchcase(name, pattern) for pattern in _HARMLESS):
        return False
    return not _FOLDERS.isdisjoint(folders) or any(fnmatchcase(name, pattern) for pattern in _NAMES)
