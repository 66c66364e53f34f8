# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Location-based notifications, decided on the device and offline.

from plotengine import Engine

with Engine("plotconfig.json", feed="feed.json", on_show=lambda n: print(n.message)) as engine:
    engine.update_location(52.3600, 4.8850, accuracy=10)
"""

from ._batch import Column as Column
from ._batch import Effect as Effect
from ._batch import Effects as Effects
from ._clock import Clock as Clock
from ._clock import ClockReading as ClockReading
from ._clock import system_clock as system_clock
from ._convert import Period as Period
from ._convert import Time as Time
from ._documents import NO_POSITION as NO_POSITION
from ._documents import Config as Config
from ._documents import ConfigLike as ConfigLike
from ._documents import Feed as Feed
from ._documents import FeedLike as FeedLike
from ._engine import Engine as Engine
from ._errors import AlreadyAnsweredError as AlreadyAnsweredError
from ._errors import AlreadyInitializedError as AlreadyInitializedError
from ._errors import ClosedError as ClosedError
from ._errors import FileError as FileError
from ._errors import ForkedError as ForkedError
from ._errors import InvalidArgumentError as InvalidArgumentError
from ._errors import InvalidDocumentError as InvalidDocumentError
from ._errors import NotFoundError as NotFoundError
from ._errors import NotInitializedError as NotInitializedError
from ._errors import OutOfOrderError as OutOfOrderError
from ._errors import PlotError as PlotError
from ._errors import ReadOnlyKeyError as ReadOnlyKeyError
from ._errors import StoreBusyError as StoreBusyError
from ._errors import StoreDamagedError as StoreDamagedError
from ._errors import StoreError as StoreError
from ._errors import StoreFailedError as StoreFailedError
from ._errors import StoreInDoubtError as StoreInDoubtError
from ._errors import StoreNewerError as StoreNewerError
from ._errors import StoreReadOnlyError as StoreReadOnlyError
from ._errors import UnknownItemError as UnknownItemError
from ._errors import UnknownTokenError as UnknownTokenError
from ._errors import WrongTypeError as WrongTypeError
from ._fleet import Fleet as Fleet
from ._frames import events_frame as events_frame
from ._items import Action as Action
from ._items import Attachment as Attachment
from ._items import FilterableNotification as FilterableNotification
from ._items import FilterBatch as FilterBatch
from ._items import Geotrigger as Geotrigger
from ._items import GeotriggerBatch as GeotriggerBatch
from ._items import Item as Item
from ._items import Notification as Notification
from ._items import SentGeotrigger as SentGeotrigger
from ._items import SentNotification as SentNotification
from ._lint import Finding as Finding
from ._lint import lint as lint
from ._raw import LibraryLoadError as LibraryLoadError
from ._raw import lib as _lib
from ._records import Decision as Decision
from ._records import Event as Event
from ._records import ListInfo as ListInfo
from ._records import PendingEvents as PendingEvents
from ._records import SegmentationValue as SegmentationValue
from ._records import Summary as Summary
from ._records import Trip as Trip
from ._records import Visit as Visit
from ._replay import Replay as Replay
from ._replay import replay as replay
from ._roaming import Pair as Pair
from ._roaming import PairKind as PairKind
from ._roaming import Roaming as Roaming
from ._strategies import Strategy as Strategy
from ._sync import SyncRequest as SyncRequest
from ._sync import SyncStatus as SyncStatus
from ._types import LATER as LATER
from ._types import EffectKind as EffectKind
from ._types import HandlerType as HandlerType
from ._types import HintKind as HintKind
from ._types import Later as Later
from ._types import LogLevel as LogLevel
from ._types import OpenAction as OpenAction
from ._types import Proximity as Proximity
from ._types import RegionType as RegionType
from ._types import Status as Status
from ._types import Trigger as Trigger
from ._zone import system_time_zone as system_time_zone

__version__: str = _lib.plot_version().decode()


def abi_version() -> int:
    """The version of the C library's ABI."""
    return int(_lib.plot_abi_version())


def live_objects() -> int:
    """How many objects of the C library are alive in this process; for leak tests."""
    return int(_lib.plot_live_objects())
