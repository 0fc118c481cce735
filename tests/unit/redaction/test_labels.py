# ruff: noqa: E501 (an example is easier to read in one line)
"""Labels, patterns, families of names and public ids stay; a true secret in the same shape goes."""

from __future__ import annotations

import base64
import random
import string

import pytest

from baton.adapters.redaction.ids import is_coin_address
from baton.adapters.redaction.rules_file import recovery_words
from baton.ports.redactor import Redactor

PYTHON = "def connect(host):\n    if not host:\n        return None\n    {}\n"
TOKEN = "kP3x9QzT1mV8b2Nc5Jd7Lf4H"
DICE = random.Random(7)
TEXT = base64.b64encode(b"some words with \0 and a mark\xef\xbb\xbf").decode()
LINES = ["".join(DICE.choices(string.ascii_letters + string.digits, k=64)) for _ in range(6)]
FAMILY = "".join(f'    "V1beta1Workload{word}",\n' for word in ("", "List", "Reference", "Spec", "Status"))
STUBS = "".join(
    f'    "{name}": "types-pywin32",\n'
    for name in ("_win32typing", "dde", "win32cred", "win32gui", "win32ui", "winxpgui")
)
TRIES = "".join(f'{name}:()=>new t(r("{TOKEN}{name}",!1)),' for name in ("Cc", "Cf", "Lm", "Lo", "Nd", "Pe", "Sc"))
POWERS = (
    "    18122464886584070891,\n    4044404959645932768,\n    3801320885861987401,\n"
    "    9775023833308395430,\n    4640401278902814207,\n    14532050972198413359,\n"
)

PAIRS = (
    (
        "func f() {\n\tg(func() { h() })\n}\n\n// to prevent the connection to reconnect (routes, gateways).\nfunc (c *x) f() {\n",
        "reconnect (root, gatew4ys#x)\n",
        "gatew4ys#x",
    ),
    (
        'package x\n\ntype Opts struct {\n\tSig      string `json:"sig,omitempty"`\n\tToken    string `json:"auth_token,omitempty"`\n\tUsername string `json:"user,omitempty"`\n\tPassword string `json:"pass,omitempty"`\n}\n',
        'Password: "omitempty82x"\n',
        "omitempty82x",
    ),
    (
        'class V1Volume(Model):\n    secret: Optional[V1SecretVolumeSource] = None\n    def f(self):\n        return {"secret": "V1SecretVolumeSource"}\n',
        'secret: "V1SecretVolume82xQ"\n',
        "V1SecretVolume82xQ",
    ),
    (
        'func init() {\n\tproto.RegisterType((*BatchLabelFilesRequest)(nil), "acme.cloud.vision.v1p3beta1.BatchLabelFilesRequest")\n}\n',
        'azure_batch_key = "kP3x9QzT1mV8b2Nc5Jd7Lf4HkP3x9QzT1mV8b2Nc5Jd7Lf4H+x=="\n',
        "kP3x9QzT1mV8b2Nc5Jd7Lf4H",
    ),
    (
        "        /**\n         * If the pass is translucent.\n         */\n        this.x = true;\n        this.y = 1;\n",
        "the pass is translucent82 by the way\n",
        "translucent82",
    ),
    (
        "\t * A dot seldom reaches the output on its\n\t * own account — every reader turns one into U+2022 — but an attribute\n\t * and a text keep the one they were written with, so\n\t */\n\tf(a);\n\tg(b);\n",
        "I changed the password, it is U+2022x9 now\n",
        "U+2022x9",
    ),
    (
        PYTHON.format("Returns:\n    dict: Merged rows with user API key columns taking precedence\n\n    if x:"),
        PYTHON.format('"""The API key is columns82winning."""'),
        "columns82winning",
    ),
    (
        PYTHON.format(
            '"""\n    satisfy the password policy\n    (`general_settings.password_policy_*`: maximum length, character classes,\n    and so on).\n    """'
        ),
        "settings.password_*: maximum82\n",
        "maximum82",
    ),
    (
        "    Create a block from host, username, and password:\n        ```python\n        from shop import Cart\n\n        Cart(username=name)\n        ```\n",
        "the password:\n```\npy7Q#thon44\n```\n",
        "py7Q#thon44",
    ),
    (
        "  closeDoorsOfHall(callback: Done): Request;\n  /** Opens the hall of your account. If it has a value for OwningAccount, you can use CloseDoorsOfHall. If the hall has none, you cannot. */\n",
        "use CloseDoorsOfHall as the password of the account\n",
        "CloseDoorsOfHall",
    ),
    (
        PYTHON.replace("{}", 'key = "x509_|-{}/pki/ca.crl_|-{}/pki/ca.crl_|-crl_managed".format(root, root)'),
        'api_key = "x509_|-k3Q9zT1mV8b2Nc5Jd"',
        "9zT1mV8b2Nc5Jd",
    ),
    (
        "// Size of the secret key for the second group, equal to 3^e3 - 1\nconst A = 250\n",
        "secret key: 3^e3Lp9kT2vQ\n",
        "3^e3Lp9kT2vQ",
    ),
    ('              token: "keyword.$0",\n', 'token: "keyword.k3ystone82xQ"', "k3ystone82xQ"),
    ('  end: { token: "keyword.$S2", next: "@pop" },\n', 'token: "k3y$S2word82"', "k3y$S2word82"),
    ('typeText:"Text",typePass:"Contrasenya",typeEmail:"Correu"', 'typePass:"Sunflower82"', "Sunflower82"),
    ('typePass:"Лозинка",typeEmail:"Е-пошта"', 'typePass:"Лозинка82x"', "Лозинка82x"),
    (
        "f=async(t,e,r)=>{await D(_(t),{oobCode:e,newPassword:r}).catch(async e=>{throw e})};",
        'f=async(t,e,r)=>{await D(_(t),{newPassword:"sunflower82"}).catch(async e=>{throw e})};',
        "sunflower82",
    ),
    (
        "n=t.vapidKey===e.vapidKey,i=t.auth===e.auth,o=t.p256dh===e.p256dh;return n&&r};function f(){return 0}",
        f'n=t.vapidKey===e.vapidKey,i=t.auth===e.auth,o.auth="{TOKEN}";return n&&r}};function f(){{return 0}}',
        TOKEN,
    ),
    (
        "from .keys import (\n    AdminAPIKeys as AdminAPIKeys,\n    AsyncAdminAPIKeys as AsyncAdminAPIKeys,\n)\n",
        "Please use hunter2x as the password\n",
        "hunter2x",
    ),
    (FAMILY, f'    "V1beta1Workload",\n    "{TOKEN}",\n', TOKEN),
    (STUBS, '    "win32cred": "types-pyw1n32x9",\n', "types-pyw1n32x9"),
    ('    "embed_tokens": "free_full_weight",\n', '    "embed_token": "fr3e_9uLl_w3iXht8",\n', "fr3e_9uLl_w3iXht8"),
    ('    "tokenizers": "tokenizers>=0.23.1,<0.24.0",\n', '    "token": "tokenizers0x23q1k9"', "tokenizers0x23q1k9"),
    (
        '    "PASSIVE LIST": list,\n    "PING": lambda r: str_if_bytes(r) == "PONG",\n    "PASS": lambda r: str_if_bytes(r),\n',
        '    "PASSWORD": "str_9f_bytes",\n',
        "str_9f_bytes",
    ),
    (
        "// PASS_SINGLE => 1-pass encoding.\n// PASS_1 => 1st pass\nfn f() {\n",
        "// PASSWORD => sunflower82\n",
        "sunflower82",
    ),
    ("    // pass gl-mesh3d lighting attributes\n    var l = 1;\n", "# pass Gl-mesh3d82\nvar l = 1;\n", "Gl-mesh3d82"),
    (
        'pub type SceMpegRingbufferCb =\n    ::Option<unsafe extern "C" fn(data: *mut c_void) -> i32>;\n',
        'pub type X = y;\nlet password = "::Option82";\n',
        "::Option82",
    ),
    ("    pub psw: __psw_t,\n    pub gregs: [u64; 16],\n    pub fn f() {}\n", "psw: psw_t82x\n", "psw_t82x"),
    (
        PYTHON.format("total_rows = 4\n    per_expert_pass = router_prob_sum / total_rows"),
        "login with admin / total_r0ws\n",
        "total_r0ws",
    ),
    (
        '    """Oracle-specific parameters to pass such as\n    :paramref:`_oracle.JSON.use_blob`.\n\n    """\n',
        "password: paramref82\n",
        "paramref82",
    ),
    (
        PYTHON.format("if apiKey.find('ed25519:') < 0:\n        apiKey = 'ed25519:' + apiKey"),
        PYTHON.format("apiKey = 'ed25519:kP3x9QzT1mV8b2Nc'"),
        "kP3x9QzT1mV8b2Nc",
    ),
    (
        PYTHON.format("re.findall(r'(<a[^>]+token=[\"\\']showmedia\\.([0-9]{3,4})p[\"\\'][^>]+>)', page)"),
        PYTHON.format("url = 'https://a.example/?token=showmedia93k4p'"),
        "showmedia93k4p",
    ),
    (
        PYTHON.format("m = re.search(r'Your username or password was incorrect\\'.', page)"),
        "Your password was sunflower82.",
        "sunflower82",
    ),
    (
        PYTHON.format("# the L2 api secret is base64url-encoded; decode it"),
        "# the secret is base64url82x\n",
        "base64url82x",
    ),
    (
        "_g['_R'].methods_by_name['MakeCredentials']._serialized_options = b'\\362\\206\\031\\223\\001\\nQ'\n",
        "_g['MakeCredentials'].secret = b'kP3x9QzT1mV8b2Nc'\n",
        "kP3x9QzT1mV8b2Nc",
    ),
    (
        'PASSWORD_LOGIN_DISABLED:"operation-not-allowed",X:"a","operation-not-allowed":"The given provider"',
        'PASSWORD:"operation-not-82allowed"',
        "operation-not-82allowed",
    ),
    ('"||","Sie vergessen, && oder || vor dem Token einzuf\\u00fcgen?"', f'"Token {TOKEN}"', TOKEN),
    (POWERS, "    4111111111111111,\n    5500000000000004,\n", "4111111111111111"),
    ("            'id': '4255764656001',\n", "            'number': '4111111111111111',\n", "4111111111111111"),
    ("c.replace(/#([0-9A-F])([0-9A-F])/i, '#$1$1$2$2$3$3');\n", "$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/\n", "qjXMvbEw8oaL"),
    (
        "x = 'https://chart.googleapis.com/chart?chs=166x166&chld=L|0&cht=qr&chl=';\n",
        f"x = 'https://maps.googleapis.com/?key={TOKEN}&chl=1';\n",
        TOKEN,
    ),
    (
        "'url': 'https://drive.google.com/file/d/1RAGWRgzn85TXCaCk4gxnwF6TGUaZatzE/view',\n'id': '1RAGWRgzn85TXCaCk4gxnwF6TGUaZatzE',\n",
        "'id': '1RAGWRgzn85TXCaCk4gxnwF6TGUaZatzE',\n",
        "1RAGWRgzn85TXCaCk4gxnwF6TGUaZatzE",
    ),
    (
        "'url': 'https://yandex.ru/portal/video?stream_id=4dbb36ec4e0526d58f9f2dc8f0ecf374',\n",
        "'url': 'https://yandex.ru/portal/video?api_key=4dbb36ec4e0526d58f9f2dc8f0ecf374',\n",
        "4dbb36ec4e0526d58f9f2dc8f0ecf374",
    ),
    (
        '"oracleUpdater": "0x1234567890545d1df9ee64b35fdd16966e08acec", "tokenId": "0x6d1e7cde53ba9467b783cb7c530ce054"',
        '"tokenSecret": "0x6d1e7cde53ba9467b783cb7c530ce054"',
        "6d1e7cde53ba9467b783cb7c530ce054",
    ),
    (
        '"clientId": "49c09c3c2cd54419a59c05441f517b3c",\n',
        '"clientSecret": "49c09c3c2cd54419a59c05441f517b3c",\n',
        "49c09c3c2cd54419a59c05441f517b3c",
    ),
    (
        '"address": "13PhzoK8me3u5nHzzFD85qT9RqEWR9M4Ty", "info": "TQmdxSuC16EhFg8FZWtYgrfFRosoRF7bCp"',
        '"address": "13PhzoK8me3u5nHzzFD85qT9RqEWR9M4Tz"',
        "13PhzoK8me3u5nHzzFD85qT9RqEWR9M4Tz",
    ),
    (
        '@auto_docstring(checkpoint="HuggingFaceM4/idefics2-8b")\n',
        f'checkpoint="{TOKEN[:12]}/{TOKEN[12:]}"',
        TOKEN[12:],
    ),
    (TRIES, f'new t(r("{TOKEN}",!1))', TOKEN),
    (
        'gitlab: {"blob_id": "79f7bbd25901e8334750839545a9bd021f0e4c83"}, Set("X-Gitlab-Blob-Id", "79f7bbd25901e8334750839545a9bd021f0e4c83")',
        'Set("X-Gitlab-Token", "79f7bbd25901e8334750839545a9bd021f0e4c83")',
        "79f7bbd25901e8334750839545a9bd021f0e4c83",
    ),
    (
        "Signature: 8a477f597d28d172789f06886806bc55\n# This file is a cache directory tag",
        "Signature: 8a477f597d28d172789f06886806bc56\n",
        "8a477f597d28d172789f06886806bc56",
    ),
    ('    var token string = "token110541305"\n', '    var token string = "token1x0b41c305"\n', "token1x0b41c305"),
    (
        'func f() {\n\tm["targetAzureV1GroupId"] = hvra.TargetAzureV1ResourceGroupID\n\tif x != nil {\n',
        'func f() {\n\tm["targetAzureKey"] = "hvra.T4rgetAzureV1Res0urceGr9upID"\n\tif x != nil {\n',
        "T4rgetAzureV1Res0urceGr9upID",
    ),
    ("f(()=>v,__wbg_instanceof_Uint8Array_20c8e73002f7af98:()=>te)", f"f(()=>v,'{TOKEN}',()=>te)", TOKEN),
    ("    {'pass': 'bandpass', 'bp': 'bandpass'}\n", "    {'pass': 'bandpass82'}\n", "bandpass82"),
    ("# the password to lm/nt hashes and hope\n", "change the password to lm/nt82x\n", "lm/nt82x"),
    (
        "const (\n\tTooSmallCert VerifyResult = C.X509_V_ERR_CA_KEY_TOO_SMALL\n\tKeyTypeEC = NID_X9_62_id_ecPublicKey\n)\nfunc f() {\n",
        f'const (\n\tTooSmallKey = "{TOKEN}"\n)\nfunc f() {{\n',
        TOKEN,
    ),
    (
        "var m = map[string]string{\n\tCertAlgoED25519v01: KeyAlgoED25519,\n}\nfunc f() {\n",
        f"func f() {{\n\t// auth: {TOKEN}\n\treturn g()\n",
        TOKEN,
    ),
    (
        " ".join(sorted(word.decode() for word in recovery_words())[:80]),
        "Phrase: unit universe unknown unlock until unusual unveil update upgrade uphold upon upper\n",
        "universe unknown",
    ),
    ('let f = "EAAE12F98D39F38BF0D1B4C5C46A428ADEFBB2F8";', f'let f = "EAA{TOKEN * 5}";', TOKEN),
    (
        "".join(f"//! #   {line}\n" for line in LINES),
        f"//! #   {LINES[0]}\n",
        LINES[0],
    ),
    ("const a = process.env.CACHE || 'sunflower';\n", "const a = process.env.PASSWORD || 'sunflower';\n", "sunflower"),
    ("// Password is type for passing password to SPAKE2 calculation.\n", "set the password to SPAKE2\n", "SPAKE2"),
    ("// TLSEcdheRsaWithAes256GcmSha384 implements it\n", f"// {TOKEN} implements it\n", TOKEN),
    (
        "const (\n\tLLDPMAUPMD100BaseTX_FDInv uint16 = 1 << 5\n\tLLDPMAUPMD100BaseT2_FDInv uint16 = 1 << 7\n\tLLDPMAUPMD10BaseT uint16 = 1 << 14\n)\n",
        f'const (\n\tx = "{TOKEN}"\n)\n',
        TOKEN,
    ),
    (
        "".join(f'    case {n}:\n        token = "160(20{n}LL)"\n' for n in range(8)),
        '    case 1:\n        token = "160(20k3LL)"\n',
        "160(20k3LL)",
    ),
    (
        "func f() {\n\tpassword := *SSHAuthPassword\n\tif password == 1 {\n",
        "password: *SSHAuth82Pass\n",
        "*SSHAuth82Pass",
    ),
    (
        "func f() {\n\t// Server MUST set this if PSK is non-nil\n\treturn g()\n",
        "the PSK is non-nil82x\n",
        "non-nil82x",
    ),
    (
        '{"github.com/docker/cli", "0.0.0-20191017083524-a8ff7f821017", ""},\n',
        '{"docker_token", "a8ff7f82-1017-4d2a-91b3-20191017083a"},\n',
        "a8ff7f82-1017-4d2a-91b3-20191017083a",
    ),
    ("    LmPassword: UNICODE_STRING,\n    pub fn f() {}\n    x: u32,\n", 'LmPassword: "UNICODE82x"', "UNICODE82x"),
    (
        "enum E {\n    MESSAGE_ID_CREATE_PASS = 1010,\n    MESSAGE_ID_DESTROY_PASS = 1011,\n}\nfn f() {\n",
        "DB_PASS=10101234\n",
        "10101234",
    ),
    ('let key = r"SOFTWARE\\Microsoft\\VisualStudio\\SxS";\n', f'let key = r"{TOKEN}";\n', TOKEN),
    (
        "function randomPass(nBytes) {\n  return buffer/* Buffer */.hp.from(new Words());\n}\nvar CancelToken = x_1__/* .a */ .ok.CancelToken;\n",
        f'var CancelToken = "{TOKEN}";\n',
        TOKEN,
    ),
    (
        "exports.FEE_SETTINGS_ID = '4BC50C9B0D8515D3EAAE1E74B29A95804346C491EE1A95BF25E4AAB854A6A651';\n",
        "exports.API_TOKEN = '4BC50C9B0D8515D3EAAE1E74B29A95804346C491EE1A95BF25E4AAB854A6A651';\n",
        "4BC50C9B0D8515D3EAAE1E74B29A9580",
    ),
    ("@prop {(options: Opts, pswp: PhotoSwipeBase) => Point} size\n", "pswd: PhotoSwipe82\n", "PhotoSwipe82"),
    (
        f'idempotencyKey: "{TOKEN}", orderIds: ["CAISEM82RcpmcFBM0TfOyiHV3es", "{TOKEN}"]',
        f'encryptionKey: "{TOKEN}"',
        TOKEN,
    ),
    (
        "    function_sign_v0: SpecV0 | None = None,\n    udt_struct_v0: SpecUDTStructV0 | None = None,\n    def f():\n",
        "    api_key: udt_8truct_v0xQ\n",
        "udt_8truct_v0xQ",
    ),
    ('SID_DIGEST_AUTHENTICATION = "S-1-5-64-21"\n', 'AUTHENTICATION_KEY = "S-1-5-64-21-x9Qz"\n', "S-1-5-64-21-x9Qz"),
    (
        "address = 'bc1qukcgc3guzt0a27j7vdegtgwxsrv4khc4688ycs'\n",
        "address = 'bc1qukcgc3guzt0a27j7vdegtgwxsrv4khc4688ycx'\n",
        "bc1qukcgc3guzt0a27j7vdegtgwxsrv4khc4688ycx",
    ),
    (
        "e.g. `ssh://687fb701029421ae5549d998@ssh.hf.jobs`",
        "e.g. `https://687fb701029421ae5549d998@hf.example`",
        "687fb701029421ae5549d998",
    ),
    ('"key": "SHA256E-s2048--chart.dat"', f'"key": "{TOKEN}"', TOKEN),
    ('file_key = "MD5E-s99--0cc175b9c0f1b6a831c399e269772661.png"', f'file_key = "SHOP-s99-{TOKEN}"', TOKEN),
    ("key = 0o7654321", f"key = {TOKEN}", TOKEN),
    ('{"key":-98765.4321e12}', f'{{"key":"{TOKEN}"}}', TOKEN),
    ("key = +0.5e10", f"key = +{TOKEN}", TOKEN),
    (
        "sigWant: `func open_Shop_0(ctx context.Context, m runtime.Marshaler) (proto.Message, error) {`",
        f"sigWant: `{TOKEN}`",
        TOKEN,
    ),
    ("\tSHOP_PASSWORD_LENGTH_CHECK = SHOP_BASE + 6\n", "SHOP_PASSWORD = SHOP_base82 + 6x\n", "SHOP_base82"),
    ("PASSWORD_OFFSET = REG_BASE | 0x40", "PASSWORD = 'REG_BASE|0x40'", "REG_BASE"),
    (
        "password_regex=r'(?i)(?:enter password:)|(?:pass phrase for key)',",
        "password='i)(enter82:)|(phrase',",
        "enter82",
    ),
    (
        "credentials: init.credentials ?? 'same-origin',\nuseCredentials: init.useCredentials ?? false,",
        "credentials: init.credentials ?? 'same-origin',\npassword: 'init.marsh82'",
        "init.marsh82",
    ),
    ("WORDS_DIR = SEARCH_DIR / '_passwords'", "login: marsh / '_heron82x'", "_heron82x"),
    ("CROSSWORDS_DIR = ROOT_DIR / '_crosswords'", "login: marsh / '_heron82x'", "_heron82x"),
    ('"appveyor_id": "m31062790kr305jn"', '"appveyor_key": "m31062790kr305jnq2x7"', "m31062790kr305jnq2x7"),
    (
        "GITHUB_ID=7c50e8a2b6f1d3940c7e",
        "GITHUB_SECRET=7c50e8a2b6f1d3940c7e7c50e8a2b6f1d3940c7e",
        "7c50e8a2b6f1d3940c7e",
    ),
    ("LINKEDIN_ID=75mqw0z4bnq81c", "LINKEDIN_CLIENT_SECRET=75mqw0z4bnq81cQx", "75mqw0z4bnq81cQx"),
    ("KEYSTONE_ENDPOINT_ID = '5be1c27ad04f49839adc10b7f2e6530b'", f"KEYSTONE_ENDPOINT_KEY = '{TOKEN}'", TOKEN),
    (
        '{"login":"heron-robot","id":49916820,"node_id":"MDQ6VXNlcjQ5OTE2ODIwLXBhc3N3b3JkOmhlcm9u","x":1}',
        f'{{"login":"heron-robot","password":"{TOKEN}","x":1}}',
        TOKEN,
    ),
    ('googleRefreshTokenHash = "piwt8oCH-K2D9pXlaS1Y-w"', f'googleRefreshToken = "{TOKEN}"', TOKEN),
    ("https://papertrailapp.com/events?q=order_export_71004295", f"https://papertrailapp.com/x?token={TOKEN}", TOKEN),
    ("keyVaultToStoreSecrets: shop-eu-1208358310", "keyVaultSecret: shop-eu-1208358310", "1208358310"),
    ("readSecretsFrom: shop-eu-1208358310", "secretsOfShop: shop-eu-1208358310x", "1208358310x"),
    ("check('x', {4: 'I000EXN4moss2ns5heronEI4id_04id_14id_2EEN3xyz4fernE'})", f"check('x', {{4: '{TOKEN}E'}})", TOKEN),
    ('return "0-2jmj7l5rSw0yVb/vlWAYkK/YBwk"', f'return "{TOKEN}"', TOKEN),
    (f'"body": "{TEXT}"', f'"body": "{TOKEN}{TOKEN[::-1]}"', TOKEN),
)


@pytest.mark.parametrize("text", [stays for stays, _, _ in PAIRS])
def test_what_only_looks_like_a_secret_stays(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


@pytest.mark.parametrize(("text", "secret"), [(goes, secret) for _, goes, secret in PAIRS])
def test_a_secret_in_the_same_shape_goes(redactor: Redactor, text: str, secret: str) -> None:
    assert secret not in redactor.redact(text).text


def test_a_private_key_of_a_coin_is_no_address() -> None:
    assert is_coin_address(b"1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2")
    assert not is_coin_address(b"5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ")


def test_no_random_value_is_an_address() -> None:
    dice = random.Random(4)
    alphabet = "".join(sorted(set(string.ascii_letters + string.digits) - set("0OIl")))
    assert not any(is_coin_address("".join(dice.choices(alphabet, k=34)).encode()) for _ in range(2_000))


def test_a_text_may_be_about_the_word_that_is_its_password(redactor: Redactor) -> None:
    text = "# Marigold runs here.\nMARIGOLD_PORT = 1\n" * 9 + 'SMTP_PASSWORD = "marigold"\n# the marigold password\n'
    shown = redactor.redact(text).text
    assert shown.count("Marigold") + shown.count("MARIGOLD") == 18
    assert "marigold" not in shown
    said = 'SMTP_PASSWORD = "orchids"\n' + "Try orchids again.\n" * 20
    assert "orchids" not in redactor.redact(said).text
