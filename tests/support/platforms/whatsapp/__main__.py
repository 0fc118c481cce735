from tests.support.platforms.admin import main
from tests.support.platforms.whatsapp.stage import WhatsAppStage

if __name__ == "__main__":
    main(WhatsAppStage)
