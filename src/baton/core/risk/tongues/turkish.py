"""Turkish: verbs stand at the end, and a no is a syllable in them (`sil`, `silme`)."""

from __future__ import annotations

from baton.core.risk.tongues.tongue import Act, Said, Tongue

TURKISH = Tongue(
    "tr",
    ends=True,
    refuses="asla sakın henüz bekle hiçbir",
    refuses_after=r"\w+(?:ma|me)(?=\s*$) \w+(?:mayın|meyin)",
    talks="açıkla* oku okuyun yaz yazın incele* kontrol test_et* belgele* düzelt* bul bulun ekle* göster* "
    "karşılaştır* neden nasıl özetle* araştır*",
    joins="ve sonra ardından veya ama",
    code="import* değişken* fonksiyon* metot* sınıf* bileşen* düğme* buton* yorum* kod kodu test* satır* parametre*",
    rows=(
        Said(Act.PUSH, "push_(?:yap|et|la)* pushla*"),
        Said(Act.PUSH, "gönder gönderin it itin", "dal* branch* origin\\S* commit* değişiklikleri"),
        Said(Act.MERGE, "birleştir* merge_(?:et|yap)*", r"pr\S* #\d+ main\S* master\S* dal* branch*"),
        Said(Act.DEPLOY, "dağıt dağıtın deploy_(?:et|yap)* yayına_al* canlıya_al* üretime_al* devreye_al*"),
        Said(Act.PUBLISH, "yayınla* yayımla* yükle*", r"paket* npm\S* pypi\S* sürüm* mağaza* uygulama*"),
        Said(
            Act.DELETE,
            "sil silin kaldır* temizle* boşalt* yok_et*",
            "tablo* veritaban* kova* bucket\\S* küme* hesap* hesab* kullanıcı* müşteri* veri* kayıt* yedek* "
            "üretim* dal* sunucu* klasör* dosyaları her_şeyi tüm* depo*",
        ),
        Said(Act.MIGRATE, "çalıştır* uygula*", "migrasyon* migration* taşıma*", but="migrasyon_dosya*"),
        Said(
            Act.PAY,
            "öde ödeyin iade_et* satın_al* transfer_et* havale_et* iptal_et*",
            r"fatura\S* müşteri* para* euro lira tedarikçi* kart* abonelik* aboneliğ* lisans* sipariş*",
        ),
        Said(
            Act.SEND,
            "gönder gönderin yolla* paylaş* yanıtla* bildir* davet_et*",
            r"e-?posta* \S*mail\S* mesaj* müşteri* kullanıcı* duyuru* slack\S* kanal* ekip* bülten*",
        ),
        Said(Act.STOP, "yeniden_başlat* durdur* kapat*", "sunucu* servis* üretim* küme* veritaban*"),
        Said(Act.ACCESS, "iptal_et* yenile* değiştir* ver", "anahtar* token* erişim* parola* şifre* sertifika* yetki*"),
        Said(Act.DISCARD, "at geri_al* sıfırla*", "değişiklik* commit* dal* veritaban* geçmiş*"),
        Said(Act.FORGE, "aç kapat oluştur*", r"pr\S* issue\S* bilet* #\d+"),
    ),
)
