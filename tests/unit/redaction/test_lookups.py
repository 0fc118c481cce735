"""What a terminal shows below a command that looks a secret up, and behind a prompt."""

from __future__ import annotations

import pytest

from baton.ports.redactor import Redactor

HELD = ("heron7302", "mossfern", "Heron!7302", "q7Lp2xT9wZkB", "9f2c4e6a8b0d1f3e5a7c9e1b3d5f7a9c")
FORMS = (
    "$ cat /run/secrets/smtp_pass\n{0}\n$ ls\nREADME\n",
    "ann@web2:/srv$ sudo cat /var/lib/jenkins/secrets/initialAdminPassword\n{0}\n",
    "$ printenv SHOP_API_TOKEN\n{0}\n",
    "$ op item get mail --fields label=password --reveal\n{0}\n",
    "$ secret-tool lookup service mail\n{0}\n",
    "$ aws secretsmanager get-secret-value --secret-id mail --query SecretString --output text\n{0}\n",
    "$ az keyvault secret show --vault-name v --name mail --query value -o tsv\n{0}\n",
    "$ terraform output -raw db_password\n{0}\n",
    "$ gcloud secrets versions access latest --secret=mail\n{0}\n",
    "$ pass show mail/ann\n{0}\n",
)
LEFT = (
    "cat password.txt\nexit 0\n",
    "echo $DB_PASSWORD\ndone\nfi\n",
    "$ cat docs/password-policy.md\n# Passwords\nThe password isn't long enough.\n",
    "$ cat /etc/passwd\nroot:x:0:0:root:/root:/bin/bash\n",
    "$ echo $PWD\n/home/ann\n",
    "$ pass show mail\nError: mail is not in the password store.\n",
    "$ kubectl get secrets\nNAME  TYPE  DATA  AGE\n",
    "$ git rev-parse HEAD\n9f2c4e6a8b0d1f3e5a7c9e1b3d5f7a9c9f2c4e6a\n",
    "Password for the printer: its now required\n",
    "Enter passphrase for key '/home/ann/.ssh/id_rsa':\nIdentity added: /home/ann/.ssh/id_rsa\n",
)


@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("form", FORMS)
def test_what_a_lookup_shows_goes(redactor: Redactor, form: str, held: str) -> None:
    cut = redactor.redact(form.format(held)).text
    assert cut in (form.format("[redacted: password]"), form.format("[redacted: api-token]"))


@pytest.mark.parametrize("text", LEFT)
def test_other_output_and_scripts_stay(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text
