# ruff: noqa: E501 (a pattern is easier to read in one line)
"""What a terminal shows below a command that looks a secret up or makes one, and behind a prompt for one: rows like `carrier_rules`."""

from __future__ import annotations

from baton.adapters.redaction.carrier_rules import ANYTHING, SHOWN, TYPED, WORD, row

_PROMPT = r"(?:^|\n)(?:[^\n]{0,60}?[$%>]|[^\n]{1,60}?[\w~/\])]#|\xe2\x9d\xaf|[^\n]{0,40}\xe2\x9d\xaf)[ \t]{1,2}(?:sudo[ ])?(?:(?:kubectl|oc|docker|podman|ssh|lxc|fly|heroku)[ ][^\n]{1,120}?[ ])?"
_NAMED = r"(?:passw(?:or)?d|passphrase|(?:^|[^a-z])pass\b|_pass\b|_pwd\b|secret|token|api_?key|credential)"
_PRIVATE = r"(?:wireguard/[\w./-]{0,40}private[\w.-]{0,8}|\bwg[\w-]{0,12}\.key|\bprivate_?key)"
_READS = (
    rf"(?:(?:cat|less|head|tail|bat)[ ][^\n|;]{{0,80}}(?:{_NAMED}|/run/secrets/|{_PRIVATE})[^\s|;/]{{0,40}}"
    rf"|(?:echo|printenv|printf)[ ][^\n|;]{{0,12}}\$?[{{(]?\w{{0,40}}{_NAMED}\w{{0,20}}[}})]?[\"']?"
    r"|(?:go)?pass[ ](?:show[ ]|-c[ ])[^\n|;]{1,80}|pass[ ][\w.-]{1,40}/[^\s|;]{1,60}|op[ ]read[ ][^\n|;]{1,120}|op[ ]item[ ]get[ ][^\n]{1,120}|bw[ ]get[ ]password[ ][^\n]{1,60}|lpass[ ]show[ ][^\n]{0,60}-password[^\n]{0,60}"
    r"|security[ ]find-(?:generic|internet)-password[ ][^\n]{0,100}|secret-tool[ ]lookup[ ][^\n]{1,80}|argocd[ ]admin[ ]initial-password[^\n]{0,40}"
    r"|vault[ ](?:kv[ ]get|read)[ ][^\n]{0,40}-field[ =][^\n]{1,100}|gcloud[ ]secrets[ ]versions[ ]access[ ][^\n]{1,120}|gcloud[ ]auth[ ]print-[^\n]{1,40}|gh[ ]auth[ ]token[^\n]{0,20}"
    r"|aws[ ][^\n]{0,40}secretsmanager[ ]get-secret-value[ ][^\n]{1,160}|aws[ ][^\n]{0,40}ssm[ ]get-parameter[ ][^\n]{1,160}|az[ ]keyvault[ ]secret[ ]show[ ][^\n]{1,120}|doppler[ ]secrets[ ]get[ ][^\n]{1,60}"
    rf"|terraform[ ]output[ ]-raw[ ]\w{{0,40}}{_NAMED}\w{{0,20}}|heroku[ ]config:get[ ]\w{{0,40}}(?:{_NAMED}|key)\w{{0,20}}[^\n]{{0,40}}|nmcli[ ][^\n]{{0,80}}(?:psk|password|secret)[^\n]{{0,80}}|\[(?:system\.)?environment\]::getenvironmentvariable\([\"'][^\"'\n]{{0,60}}(?:pass|pwd|secret|token|key)[^\n]{{0,40}}\)|sops[ ][^\n]{{0,20}}-d[^\n]{{0,20}}[ ]--extract[ ][^\n]{{1,80}}"
    r"|kubectl[ ][^\n]{0,60}get[ ]secrets?[ /][^\n]{1,160}base64[ ](?:-d|-D|--decode)[^\n]{0,40})"
)
_ANCHORED = (
    r"(?:\b(?:cat|less|head|tail|bat|echo|printenv|printf)[ ][^\n]{0,80}(?:pass|secret|token|_pwd|api_?key|credential|wireguard/|wg[\w-]{0,12}\.key|private_?key)|pass[ ]show|\bpass[ ][\w.-]{1,40}/|\bop[ ]read|\bop[ ]item[ ]get|\bbw[ ]get|\blpass[ ]show"
    r"|find-generic-password|find-internet-password|secret-tool[ ]lookup|initial-password|[ ]-field[ =]|secrets[ ]versions[ ]access|gcloud[ ]auth[ ]print-|gh[ ]auth[ ]token|get-secret-value|ssm[ ]get-parameter"
    r"|keyvault[ ]secret[ ]show|doppler[ ]secrets[ ]get|output[ ]-raw|config:get|[ ]--extract[ ]|\bnmcli[ ]|getenvironmentvariable\(|base64[ ]-d|base64[ ]--decode)[^\n]{0,160}\r?\n[^\s]{4}"
)
"""What is quick to search for; `type`, `more` and `get` are words of programs."""
_MAKES = (
    r"(?:pwgen[^\n]{0,40}|openssl[ ]rand[ ][^\n]{1,60}|apg[ ]-[^\n]{1,40}|makepasswd[^\n]{0,40}|pwqgen[^\n]{0,20}|diceware[^\n]{0,20}|xkcdpass[^\n]{0,20}"
    r"|[^\n]{0,20}/dev/u?random[^\n]{0,80}|wg[ ]gen(?:key|psk)[^\n]{0,10}|python3?[ ]-c[ ][^\n]{0,40}secrets\.token_[^\n]{1,20})"
)
_ALONE = r"[ \t]*%?(?:\r?\n|$)"
_SHOWS = rf"(?:([^\s:]{{4,256}})|((?:[a-z]{{3,12}}[ -]){{2,7}}[a-z]{{3,12}})){_ALONE}"

LOOKUPS = (
    row(
        "looked up at a prompt",
        _ANCHORED,
        rf"{_PROMPT}{_READS}[ \t]*\r?\n{_SHOWS}",
        WORD,
        examples=(
            "$ cat /srv/app/secrets/mail_password\n«heron7302»\n$ ls\n",
            "bob@web1:~$ echo $SMTP_PASSWORD\n«heron7302»\n",
            "$ kubectl exec deploy/web -- cat /run/secrets/db_password\n«heron7302»\n$ ls\n",
            "$ gopass show -o team/mail\n«Heron!7302x»\n",
            "$ vault kv get -field=password kv/mail\n«heron7302»\n",
            "$ kubectl get secret mail -o jsonpath='{.data.pw}' | base64 -d\n«heron7302»\n",
            "root@gw:~# cat /etc/wireguard/wg0.key\n«2LrwATFNbax7HzLyxRbVGUrocLCSCE5lbMZzfRrHzcE=»\n",
            "$ bw get password mail\n«heron moss otter lamp»\n",
            "$ nmcli -s -g 802-11-wireless-security.psk connection show attic\n«heron moss otter»\n",
            "PS C:\\> [Environment]::GetEnvironmentVariable('MAIL_PWD', 'User')\n«Heron!7302x»\nPS C:\\> ls\n",
        ),
        left=(
            "$ cat secrets/readme\nfollowing\n",
            "$ echo $TOKEN_FILE\n/run/token\n",
            "$ cat /etc/passwd\nroot:x:0:0:root:/root:/bin/bash\n",
            "$ pass show mail\nError: mail is not in the password store.\n",
            "$ kubectl get secret\nNAME   TYPE   DATA\n",
        ),
        ahead=320,
    ),
    row(
        "looked up without a prompt",
        _ANCHORED,
        rf"(?:^|\n){_READS}[ \t]*\r?\n([^\s]{{6,256}}){_ALONE}",
        SHOWN,
        examples=("vault read -field=password db/creds/app\n«Heron!7302x»\n",),
        left=(
            "cat secrets/password.txt\nexit\n",
            "echo $API_TOKEN\ndone\n",
            "echo $DB_PASSWORD\n[redacted: password]\n",
        ),
        prose=True,
        ahead=320,
    ),
    row(
        "made at a prompt",
        r"(?:pwgen|openssl[ ]rand|apg[ ]-|makepasswd|pwqgen|diceware|xkcdpass|/dev/u?random|wg[ ]gen|secrets\.token_)[^\n]{0,80}\r?\n[^\s]{6}",
        rf"{_PROMPT}{_MAKES}[ \t]*\r?\n([^\s]{{6,256}}){_ALONE}|(?:^|\n){_MAKES}[ \t]*\r?\n([0-9a-f]{{16,256}}|[A-Za-z0-9+/]{{16,256}}={{1,2}}){_ALONE}",
        ANYTHING,
        examples=(
            "$ pwgen -sy 16 1\n«Vq3!hT7xw0Lk_a2Z»\n",
            "$ openssl rand -base64 24\n«Vq3hT7xw0Lka2ZVq3hT7xw0Lka2Zabcd»\n",
            "openssl rand -hex 24\n«3f2a9c7d3f2a9c7d3f2a9c7d3f2a9c713f2a9c7d3f2a9c71»\n",
        ),
        left=("KEY=$(openssl rand -hex 32)\nexport KEY\n", "pwgen 20 1\nexit\n"),
        ahead=320,
    ),
    row(
        "typed behind a prompt",
        r"\b(?:pass ?phrase|password|passcode|pin)[ ]for[ ](?:key[ ]|user[ ])?[\"']?[^\s\"']{1,120}[\"']?:[ ]{1,2}\S{4}",
        r"\b(?:pass ?phrase|password|passcode|pin) for (?:key |user )?(?:'[^'\n]{1,120}'|\"[^\"\n]{1,120}\"|[^\s\"']{1,120}): {1,2}([^\s\"'\x60]{4,128})[ \t]*(?:\r?\n|$)",
        TYPED,
        examples=(
            "Enter passphrase for key '/home/ann/.ssh/id_ed25519': «heron7302»\n",
            "Enter pass phrase for ca.key: «heron7302»\n",
            "Password for 'https://ann@git.example.net': «Heron!7302»\n",
        ),
        left=(
            "Enter passphrase for key '/home/ann/.ssh/id_rsa': \n",
            "Password for user: string\n",
            "password for login: required\n",
        ),
        prose=True,
    ),
)
