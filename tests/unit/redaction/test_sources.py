"""Programs are left whole: types, names, expressions, data and forms of links beside words for a secret."""

from __future__ import annotations

import base64
import random
import string

import pytest

from baton.adapters.redaction.entropy import is_alphabet, is_made_of_words
from baton.ports.redactor import Redactor

RUST = 'pub fn open(&mut self) -> Result<()> {{\n    let user = "x";\n    {}\n}}\n'
GO = "func open(c *Config) error {{\n\tif c == nil {{\n\t\treturn err\n\t}}\n\t{}\n}}\n"
PYTHON = "def connect(host):\n    if not host:\n        return None\n    {}\n"
LEFT = (
    RUST.format("pub fn key_password(&mut self, password: &str) -> Result<(), Error> {{ }}"),
    RUST.format("fn log(&self, label: &str, client: &[u8], secret: &[u8]) {{ }}"),
    RUST.format('let passwords = vec!["a".into()]; let mut pwd = vec![0; LEN];'),
    RUST.format("let passphrase = ::std::ffi::CString::new(passphrase).unwrap();"),
    RUST.format("ConnectionTrafficSecrets::Aes128Gcm { key, salt, iv } => (key, salt, iv),"),
    RUST.format("secret: PayloadU8, master_secret: PayloadU8::new(ms),"),
    RUST.format('Some(pass_num) => format!(".{}", pass_num),'),
    RUST.format("/// Extra flags to pass to `rustc`, see `env_args`."),
    RUST.format("/// Note: The password is `&[u8]` and not `&str` because"),
    GO.format("secret := swarmtypes.Secret{\n\t\tName: name,\n\t}"),
    GO.format("pw := &printer{\n\t\tmode: mode,\n\t}"),
    GO.format("type share struct {\n\t\tPath        *uint16\n\t\tPasswd      *uint16\n\t}"),
    GO.format("const testKeyId = 0xA34D7E18C20C31BB"),
    GO.format('io.WriteString(conn, "GET /secret HTTP/1.1\\r\\nHost: foo\\r\\n")'),
    GO.format('// "strategy":"random", "randomSeed"="s3://my_s3_path/bucket/file.csv"'),
    GO.format('tags := []Tag{{Key: "MyKey", Value: "val-1"}}'),
    GO.format("// user:password@protocol(endpoint)/dbname?<params>"),
    GO.format("// GetSocket returns the metric for the socket (identified by id)."),
    GO.format("CertSigAlgoRSASHA2256v01 = CertAlgoRSASHA256v01"),
    GO.format('CertAlgoSKED25519v01 = "sk-ssh-ed25519-cert-v01@openssh.com"'),
    PYTHON.format("user_pass = '%s:%s' % (user, password)"),
    PYTHON.format("new_row[x - pw] = char2"),
    PYTHON.format("subprocess.run(argv, pass_fds=fds_to_keep)"),
    PYTHON.format('"""Remove the item identified by `key`."""'),
    PYTHON.format('m = re.match(r"^projects/(?P<project>.+?)/secrets/(?P<secret>.+?)$", path)'),
    '    "AWS::EKS::AccessEntry": "6eb6ba186799e7f3",\n    "AWS::MSK::BatchScramSecret": "ff2b807a577495b0",\n',
    '{"Sid": "EC2TagCFNSG", "Effect": "Allow"}',
    "const password = utils$1.getSafeProp(auth, 'password') || '';",
    "const isOn = (key) => key.charCodeAt(0) === 111 && key.charCodeAt(1) === 110;",
    "let{tokenStart:s}=t;h(t,n|32);let g=[],d=0;for(n=(n|131072)^131072;t.getToken()!==20;){}",
    "const TOKEN_REGEXP = /\\.\\/@@webpackChunk:([\\w-]+)@@/g;",
    "type Secret =\n  | 'azure-active-directory-password'\n  | 'azure-active-directory-msi-vm'\n",
    "@param password Password to hash\n * @param hash Hash to compare\n",
    "mongodb://user:pass@127.0.0.1:27017/database",
    "const regexp = /^-----BEGIN OPENSSH PRIVATE KEY-----(?:\\r\\n|\\n)([\\s\\S]+)-----END OPENSSH PRIVATE KEY-----$/;",
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    '"request_id": "XzIN:SpWDs:d5635a33",',
    '"call_id": "call_nGChjciuWpTSPqeGandiSrFs", "response_id": "resp_ed1cb48a1b18b0e8d4ea357723f464fb89f61b10"',
    "  password (str): The password.\n  token (str, optional): The token.\n",
    "const SecretSchemaId = exports.SecretSchemaId = /*#__PURE__*/Symbol.for('x');",
    GO.format("k = &pkcs11PrivateKeyDSA{\n\t\tpkcs11PrivateKey: pkcs11PrivateKey{\n\t\t\tHandle: h,"),
    GO.format("SignatureValue: asn1.BitString{Bytes: signature, BitLength: n},"),
    GO.format('CommandGetCookies = "Network.getCookies"'),
    'import (\n\tgopass_terminal "github.com/aviau/gopass/internal/terminal"\n)\n',
    'function(e,t){t["des-ecb"]={key:8,iv:0};t["des-cbc"]=t.des={key:8,iv:8};',
    "this._inKey=true;this._bytesKey=0;this._bytesVal=0;this._fields=0;this._key='';",
    "let{block:o=!1,iskey:s=!1,isblockseq:c=!1}=i;return o===null||o===void 0?void 0:o.send({});",
    GO.format('dropbox.New(os.Getenv("DROPBOX_SECRET"), "http://localhost:3000/auth/dropbox/callback"),'),
    GO.format('fmt.Printf("Your password is %q\\n", result)'),
    "http://client.example.com/?code=u3F05aEObJuP2k7DordviIgW5wl52N",
    "// that TokenSource in an oauth2.ReuseTokenSource.",
    "// hash 00a1b2c3d4e5f60718293a4b5c6d7e8f9001122334\n",
    RUST.format("pub struct spwd {{\n    pub sp_passwd: ::c_char,\n    pub sp_lstchg: ::c_long,\n}}"),
)


@pytest.mark.parametrize("text", LEFT)
def test_types_names_and_expressions_of_programs_stay(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (PYTHON.format("client.connect(password='sunflower82')"), "sunflower82"),
        (RUST.format('let password = "sunflower82";'), "sunflower82"),
        ("password: hunter2\n", "hunter2"),
        ("PASS=hunter2\n", "hunter2"),
        ("Set the password to sunflower on Monday.", "sunflower"),
        ('{"Sid": "SK3f2a9c7d3f2a9c7d3f2a9c7d3f2a9c71"}', "3f2a9c7d3f2a"),
        ("create user a identified by 'x1', b identified by 'sunflower';", "sunflower"),
        ("mongodb://shop:sunflower@127.0.0.1:27017/database", "sunflower"),
        ("vault kv put secret/db password=eynlmrthr", "eynlmrthr"),
        (GO.format('gopass_terminal = "sunflower82"'), "sunflower82"),
        ('token: "Network.k3ystone82xQ"', "k3ystone82xQ"),
        ("kubeadm join --token abc123.0123456789abcdef", "0123456789abcdef"),
        ("We reset your password. Your temporary password: wkfjsnvxq\n", "wkfjsnvxq"),
    ],
)
def test_passwords_in_the_same_places_still_go(redactor: Redactor, text: str, secret: str) -> None:
    assert secret not in redactor.redact(text).text


NAMES = (
    "OutputService10TestShapeOutputService10TestCaseOperation1Input",
    "ChaCha20Poly1305MessageDecrypter",
    "OpticalStandardOptic40gbaseIr4Lr4l",
    "pbeWithSHAAnd128BitRC2-CBC",
)
OTHER_NAMES = (
    "SigRsaPkcs1V15WithSha256",
    "convertIPv4MappedIPv6ToIPv4",
    "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
    "AzureSkuNameStandardDS14V24TBPS",
)


@pytest.mark.parametrize("name", OTHER_NAMES)
def test_names_of_capitalised_words_are_no_tokens(redactor: Redactor, name: str) -> None:
    assert redactor.redact(f"case {name}:\n  return {name}\n").text == f"case {name}:\n  return {name}\n"


def test_numbers_of_programs_are_no_cards(redactor: Redactor) -> None:
    text = RUST.format("let a = u128 {{ lo: 4377298216549927656, hi: 4459898349916441418 }};")
    assert redactor.redact(text).text == text
    assert "4111111111111111" not in redactor.redact(RUST.format("let card = 4111111111111111;")).text
    assert "4111111111111111" not in redactor.redact("he paid with 4111111111111111 yesterday").text


@pytest.mark.parametrize("name", NAMES)
def test_names_in_programs_are_no_tokens(redactor: Redactor, name: str) -> None:
    assert is_made_of_words(name.encode())
    assert redactor.redact(f"type {name} struct").text == f"type {name} struct"


def test_random_values_are_not_made_of_words_and_hold_no_alphabet() -> None:
    dice = random.Random(4)
    values = ["".join(dice.choices(string.ascii_letters + string.digits, k=24)).encode() for _ in range(2000)]
    assert sum(map(is_made_of_words, values)) <= 40
    assert not any(map(is_alphabet, values))
    assert is_alphabet(b"abcdefghijklmnopqrstuvwxyz0123456789_")


def test_data_in_lines_is_no_token(redactor: Redactor) -> None:
    dice = random.Random(7)
    lines = ["".join(dice.choices(string.ascii_letters + string.digits, k=64)) for _ in range(6)]
    data = "".join(f"    {line}\n" for line in lines)
    assert redactor.redact(data).text == data
    assert lines[0] not in redactor.redact(f"use {lines[0]} for it").text


def test_data_in_lines_stays_whole_however_long_it_is(redactor: Redactor) -> None:
    """Also where a line begins with a plus, as lines of a diff do."""
    dice = random.Random(4)
    data = "".join(f"{base64.b64encode(dice.randbytes(57)).decode()}\n" for _ in range(3_000))
    assert redactor.redact(data).text == data


def test_many_long_names_are_not_cut_unread(redactor: Redactor) -> None:
    text = "".join(f"func (s *InputService{n}TestShapeRecursiveStructType{n}) Set{n}()\n" for n in range(3000))
    assert redactor.redact(text).text == text


def test_lines_that_a_shell_exports_are_no_program(redactor: Redactor) -> None:
    """What is said beside them is still said by a person."""
    said = "login with admin / uucpBXKMhZC4fgpTVj\nexport STAGE=test (old)\nexport REGION=eu\n"
    assert "uucpBXKMhZC4fgpTVj" not in redactor.redact(said).text


@pytest.mark.parametrize("said", ["login with admin / uucpBXKMhZC4fgpTVj", "Router login: admin / Sunfl0wer!x"])
def test_a_login_beside_a_program_is_one(redactor: Redactor, said: str) -> None:
    """People paste what they work on, and tell the login below it."""
    program = "```js\nimport x from 'y';\nconst a = () => { return x(); };\nif (a()) { run(); }\n```\n"
    assert said.rpartition(" ")[2] not in redactor.redact(f"{program}{said}\n").text


NAMES_AND_EXPRESSIONS = (
    "class N10ssl_ctx_st4DOLLAR_18E(Structure):\n    pass\nassert sizeof(N10ssl_ctx_st4DOLLAR_18E) == 4\n",
    PYTHON.format("RC2_KEY = rc2_key_st\n    x = rc2_key_st"),
    GO.format("keysForFixed32Map := make([]uint32, 0)\n\tsort(keysForFixed32Map)"),
    GO.format('if h.AzureV1ResourceGroupID != nil {\n\t\tm["azureV1ResourceGroupId"] = h.AzureV1ResourceGroupID\n\t}'),
    "const { AwsSdkSigV4Signer: signer } = require('./x');\nmodule.exports = { AwsSdkSigV4Signer };\n",
    "if(e.k===1){o.key=r.C0.ESC+o.key);break;case 9:return(o.key=t?r.C0.ESC+`x`:1)};function f(){return 0}",
    "var u=this.__chain__,p=!!this.__actions__.length,f=o&&!u;if(!o&&d){r=y};function g(){return 1}",
    RUST.format('DerivedSecret => b"derived",\n    ClientTrafficSecret => b"c hs traffic",'),
    GO.format('KeySpecEccSecgP256k1 KeySpec = "ECC_SECG_P256K1"'),
    "exports.ATTR_DB_COSMOSDB_CLIENT_ID = 'db.cosmosdb.client_id';\n",
    PYTHON.format("if len(password) > 1023:\n        raise ValueError"),
    'def __init__(self, username, password):\n        """Constructor."""\n',
    "    :param client_secret: Unicode client secret.\n    :type type: :py:data:`TYPE_RSA`\n",
    "    # First pass: exact-match removal.\n",
    RUST.format('let key = "000102030405060708090a0b0c0d0e0f";'),
    RUST.format('let alphabet = b"rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz";'),
    RUST.format('Uuid::parse_str("F9168C5E-CEB2-4faa9B6BFF329BF39FA1E41")'),
    GO.format('h.Set("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")'),
    GO.format('"Content-Md5": []string{"XrY7u+Ae7tCTyyK7j1rNww=="},'),
    "coll=C3=A8gue=2C_le_pouf_c=C3=A9l=C3=A8bre\n",
    "const token = /(?:^|;)\\s*([\\w!#$%&'*+.^`|~-]+)=/g;\n",
    PYTHON.format("client.login('user', 'password')\n    open_url('http://a:b@127.0.0.1/', 'pass')"),
    PYTHON.format("kind = {'pass': 'bandpass'}[name]\n    filter(name, 'bandpass')"),
    RUST.format('let cookie = "foo=bar; expires=Sun, 06 Nov 1994 08:49:37 GMT";'),
    '    user_info.parse("22 111-22-3333 #221B")\n',
)


@pytest.mark.parametrize("text", NAMES_AND_EXPRESSIONS)
def test_bare_names_expressions_and_place_holders_of_programs_stay(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (PYTHON.format("client.login('bob', 'sunflower82')"), "sunflower82"),
        (PYTHON.format("# the password is hunter2!X"), "hunter2!X"),
        (GO.format('f("kP3x9QzT1mV8b2Nc5Jd7Lf4H")'), "kP3x9QzT1mV8b2Nc5Jd7Lf4H"),
        (GO.format('url := "http://shop:sunflower@127.0.0.1/"'), "sunflower"),
        (RUST.format('let key = "2b7e151628aed2a6abf7158809cf4f3c";'), "2b7e151628aed2a6"),
        (RUST.format('DerivedSecret => b"derived",\n    let secret = "sunflower82";'), "sunflower82"),
        ("Set-Cookie: sid=kP3x9QzT1mV8b2Nc5Jd7; Path=/; HttpOnly\n", "kP3x9QzT1mV8b2Nc5Jd7"),
        ("password: password\nuser: bob\ntoken=kP3x9QzT1mV8b2Nc\n", "kP3x9QzT1mV8b2Nc"),
    ],
)
def test_secrets_in_quotes_and_comments_of_programs_go(redactor: Redactor, text: str, secret: str) -> None:
    assert secret not in redactor.redact(text).text


def test_a_file_that_a_program_carries_is_no_place_for_context(redactor: Redactor) -> None:
    """A source map holds the program once more; a vendor's token goes even there."""
    source = '{"version":3,"sourcesContent":["const a = 1;\\n  this.password = undefined;\\n  ibName: 2-byte\\n"]}'
    head = "export const a = 1;\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,"
    text = head + base64.b64encode(source.encode() * 8).decode() + "\n"
    assert redactor.redact(text).text == text
    token = "ghp_" + "".join(random.Random(4).choices(string.ascii_letters + string.digits, k=36))
    held = base64.b64encode(f"[\"const a = '{token}';\"]".encode()).decode()
    assert held not in redactor.redact(head + held + "\n").text


def test_alphabets_and_counts_are_no_tokens() -> None:
    dice = random.Random(8)
    values = ["".join(dice.choices(string.ascii_letters + string.digits, k=32)).encode() for _ in range(5_000)]
    assert sum(map(is_alphabet, values)) <= 10
    assert is_alphabet(b"qpzry9x8gf2tvdw0s3jn54khce6mua7l")
    assert is_alphabet(b"f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")


def test_a_plain_word_is_cut_again_only_where_a_program_speaks_of_secrets(redactor: Redactor) -> None:
    text = PYTHON.format("connect(user='bob', password='marigold')\n    paint('marigold')\n    password('marigold')")
    shown = redactor.redact(text).text
    assert "paint('marigold')" in shown
    assert "password('marigold')" not in shown
    assert "password='marigold'" not in shown
