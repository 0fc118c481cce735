from tests.support.platforms.admin import main
from tests.support.platforms.signal.stage import SignalStage

if __name__ == "__main__":
    main(SignalStage)
