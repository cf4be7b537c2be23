"""One settings file for home and hosting. The differences come from the environment.

At home nothing is set: SQLite, the in-memory channel layer, a secret key made on the first run.
Hosted: SECRET_KEY, ALLOWED_HOSTS, DATABASE_URL and REDIS_URL (see docs/hosting.md).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dj_database_url
import django
from csp.constants import NONE, SELF

from companion import games
from companion.server import environment

PACKAGE_DIR = Path(__file__).resolve().parent
BASE_DIR = PACKAGE_DIR.parent
#: An installed wheel has templates/ and static/ inside this package; a checkout has them beside it.
INSTALLED = (PACKAGE_DIR / "shared").is_dir()
SHARED_DIR = PACKAGE_DIR / "shared" if INSTALLED else BASE_DIR
VAR_DIR = Path(
    environment.text("TAKUJO_VAR") or (environment.data_folder() if INSTALLED else BASE_DIR / "var")
)
MODULES_DIR = BASE_DIR / "sessions" / "modules"

DATABASE_URL = environment.address(
    "DATABASE_URL", "postgres://user:password@host:5432/name", "postgres", "postgresql", "sqlite"
)
environment.keep_private(VAR_DIR, database=not DATABASE_URL)
DATABASE_URL = DATABASE_URL or f"sqlite:///{VAR_DIR / 'takujo.sqlite3'}"

DEBUG = environment.switch("DEBUG")
SECRET_KEY = environment.text("SECRET_KEY") or environment.home_secret_key(VAR_DIR)
SECRET_KEY_IS_HOME = not environment.text("SECRET_KEY")
# Phones reach a home server by an address that may change daily, so every host is allowed. The websocket is
# guarded by companion.requests.asgi_middleware.
ALLOWED_HOSTS = environment.text("ALLOWED_HOSTS", "*").split(",")
HTTPS = environment.switch("HTTPS")
#: The number of our own proxies that a request passes; only what they add to X-Forwarded-For is trusted.
TRUSTED_PROXIES = environment.number("TRUSTED_PROXIES")
#: The people who may share one address, as at a convention or behind a tunnel: its limits grow with them.
PEOPLE_PER_ADDRESS = environment.number("PEOPLE_PER_ADDRESS", 40)
#: The public base URL of this server, the only one used in emails. At home ``manage.py play`` sets it.
PUBLIC_URL = environment.address("PUBLIC_URL", "https://takujo.example", "http", "https").rstrip("/")

#: Age in days at which ``manage.py thin_nights`` deletes the moves and messages of a session; 0: never.
KEEP_NIGHTS_DAYS = environment.number("KEEP_NIGHTS_DAYS")

#: The folder for backups of ``manage.py backup`` without a file name, and their passphrase, if any.
BACKUP_DIR = Path(environment.text("BACKUP_DIR") or VAR_DIR / "backups")
BACKUP_PASSPHRASE = environment.text("BACKUP_PASSPHRASE")
#: The command that takes each new backup of that folder to another machine, if any.
BACKUP_TO = environment.command("BACKUP_TO")

REDIS_URL = environment.address("REDIS_URL", "redis://host:6379/0", "redis", "rediss", "unix")

INSTALLED_APPS = [
    "companion",
    "characters",
    "sessions",
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "channels",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "companion.pages.static_files.LaterFilesMiddleware",
    # Pages shrink to a tenth. The middleware adds random bytes to responses as a mitigation of BREACH.
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "companion.pages.defaults.GuardMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "companion.pages.defaults.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "companion.identity.people.PersonMiddleware",
    "companion.identity.shared_device.CompanyMiddleware",
    "companion.identity.first_posts.FirstPostMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "companion.requests.quotas.LimitMiddleware",
    "sessions.views.responses.NoGameMiddleware",
    "sessions.views.responses.NotYoursMiddleware",
]

ROOT_URLCONF = "companion.urls"
ASGI_APPLICATION = "companion.asgi.application"

TEMPLATE_FOLDERS = [SHARED_DIR / "templates", *games.folders_named("templates")]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": TEMPLATE_FOLDERS,
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "companion.identity.people.person",
                "companion.identity.shared_device.company",
            ],
            "builtins": [
                "django.templatetags.i18n",
                "django.templatetags.static",
                "companion.templatetags.companion",
            ],
        },
    },
    {
        "NAME": "jinja2",
        "BACKEND": "companion.rendering.engine.Engine",
        "DIRS": TEMPLATE_FOLDERS,
        "APP_DIRS": False,
        "OPTIONS": {
            # Filters are pure: they return the same for the same arguments.
            "filters": [
                "companion.figures.gaps",
                "companion.figures.npc_name",
                "companion.figures.skill_name",
            ],
            "functions": {
                "figure": "companion.figures.figure",
                "initial": "companion.figures.initial",
                "turn_mark": "companion.figures.turn_mark",
                "npc_kinds": "companion.figures.npc_kinds",
                "sends": "sessions.templatetags.table.sends_here",
            },
        },
    },
]

DATABASES: dict[str, Any] = {"default": dj_database_url.parse(DATABASE_URL, conn_health_checks=True)}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"] |= {
        # The connections of the websockets' threads stay open; reopening costs more than a move.
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            # A deferred transaction that reads first and writes later fails at once if another one wrote in
            # between: half of all simultaneous moves were lost that way.
            "transaction_mode": "IMMEDIATE",
            "timeout": 10,
            # A commit does not wait for the disk: FULL costs 4 ms a move or more on a server's disk, and many
            # times that on a card. A power cut may take the last moves with it, and never damages the file.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
        # Live servers in tests run in other threads: they need a file, not a private in-memory database.
        "TEST": {"NAME": VAR_DIR / "test.sqlite3"},
    }
else:
    DATABASES["default"]["ENGINE"] = "companion.fallback.postgresql"
    DATABASES["default"]["OPTIONS"] = {
        # The timeouts are short because companion.fallback.postgresql tries the pool repeatedly.
        # A connection for each thread of websockets (threads.THREADS) and of pages (queue_middleware).
        "pool": {"min_size": 1, "max_size": 16, "timeout": 0.25, "reconnect_timeout": 0.25},
        # A dead network sends no error: give up after seconds instead of a quarter of an hour.
        "connect_timeout": 2,
        "tcp_user_timeout": 5_000,
        "keepalives_idle": 10,
        "keepalives_interval": 3,
        "keepalives_count": 2,
        **DATABASES["default"].get("OPTIONS", {}),
    }

CACHES: dict[str, dict[str, Any]]
if REDIS_URL:
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "companion.fallback.redis.SteadyLayer",
            # redis-py allows 100 connections by default: too few when all phones reconnect at once.
            "CONFIG": {"hosts": [{"address": REDIS_URL, "max_connections": 10_000}]},
        }
    }
    _redis = {"BACKEND": "companion.fallback.redis.SteadyCache", "LOCATION": REDIS_URL}
    CACHES = {"default": _redis, "limits": _redis}
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    _memory = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    CACHES = {
        "default": _memory | {"OPTIONS": {"MAX_ENTRIES": 10_000}},
        # Counters of tries (companion.requests.throttle): no other entry may evict them.
        "limits": _memory | {"LOCATION": "limits", "OPTIONS": {"MAX_ENTRIES": 50_000}},
    }

AUTH_USER_MODEL = "companion.User"
# This backend ignores the case of account names: phones capitalise the first letter.
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "companion:home"
LOGOUT_REDIRECT_URL = "companion:home"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

#: The server for outgoing email, such as password resets; at home there is none.
EMAIL_URL = environment.address("EMAIL_URL", "smtp://name:password@host:587", "smtp", "smtps", "smtp+plain")
if EMAIL_URL:
    DEFAULT_FROM_EMAIL = environment.text(
        "EMAIL_FROM", f"takujo@{ALLOWED_HOSTS[0].strip('.*') or 'localhost'}"
    )
    if django.VERSION >= (6, 1):
        MAILERS = {
            "default": {
                "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
                "OPTIONS": environment.smtp_options(EMAIL_URL),
            }
        }
    else:
        _smtp = environment.smtp_options(EMAIL_URL)
        EMAIL_HOST, EMAIL_PORT, EMAIL_TIMEOUT = _smtp["host"], _smtp["port"], _smtp["timeout"]
        EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _smtp["username"], _smtp["password"]
        EMAIL_USE_TLS, EMAIL_USE_SSL = _smtp["use_tls"], _smtp["use_ssl"]

# Accounts have a name and a password. The form asks for an email address only if this server sends email.
ACCOUNT_ADAPTER = "companion.accounts.adapters.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", *(["email"] if EMAIL_URL else []), "password1*", "password2*"]
ACCOUNT_SIGNUP_REDIRECT_URL = "companion:account"
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
# A family may share one address: emails name the account. So a sign-up does not reveal which addresses exist.
ACCOUNT_UNIQUE_EMAIL = False
ACCOUNT_SESSION_REMEMBER = True
# The name of the GM's account of a home server (companion.identity.gm_link) is reserved.
ACCOUNT_USERNAME_BLACKLIST = ["gm"]
ACCOUNT_FORMS = {
    "login": "companion.accounts.forms.SignInForm",
    "signup": "companion.accounts.forms.SignUpForm",
    "change_password": "companion.accounts.forms.ChangePasswordForm",
    "set_password": "companion.accounts.forms.SetPasswordForm",
    "reset_password": "companion.accounts.forms.ForgottenForm",
    "reset_password_from_key": "companion.accounts.forms.NewPasswordForm",
    "reauthenticate": "companion.accounts.forms.ConfirmForm",
}
# companion.accounts limits these itself: a limit per account alone would let strangers lock its owner out.
ACCOUNT_RATE_LIMITS = {"signup": None, "login": None}
# A passkey replaces the password and is never a second factor: at home, on plain http, passkeys do not work.
MFA_ADAPTER = "companion.accounts.adapters.PasskeyAdapter"
MFA_SUPPORTED_TYPES = ["webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_FORMS = {
    "add_webauthn": "companion.accounts.forms.AddPasskeyForm",
    "edit_webauthn": "companion.accounts.forms.RenamePasskeyForm",
    "login_webauthn": "companion.accounts.forms.PasskeySignInForm",
    "reauthenticate_webauthn": "companion.accounts.forms.PasskeyConfirmForm",
}
CSRF_FAILURE_VIEW = "companion.views.csrf_error_page"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 365
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if HTTPS else 0
# HSTS for subdomains and preload lists are decisions of the owner of the domain, not of one server on it.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if HTTPS else None
X_FRAME_OPTIONS = "DENY"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],  # companion.pages.defaults adds the websockets of the requested host
        # Positions of cards are custom properties in style attributes.
        "style-src-attr": ["'unsafe-inline'"],
        "worker-src": [SELF],
        "manifest-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
    }
}

#: True only in tests: notifications may go to any address, also on this machine (companion/push).
PUSH_TO_TEST_SERVERS = False

# Seconds for which a move can be undone; the drawn cards stay face down (sessions/table/undo_window.py).
GRACE_SECONDS = 5.0

LANGUAGE_CODE = "ja"
#: A new language needs an entry here and catalogues. Database rows and games' books may be translated, too.
LANGUAGES = [("ja", "日本語"), ("en", "English"), ("ko", "한국어")]
#: The language of the source strings; it needs no catalogue.
SOURCE_LANGUAGE = "en"
#: Languages with a translation of the core only, and a note about it; the rest is in the source language.
#: A browser that prefers one gets its next choice. A user who selects one sees the note.
PARTLY_TRANSLATED = {"ko": "일부만 한국어, 나머지는 영어입니다"}
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
LOCALE_PATHS = [BASE_DIR / "companion" / "locale", *games.folders_named("locale")]
TIME_ZONE = environment.time_zone("TZ", "Asia/Tokyo")

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [SHARED_DIR / "static", *games.folders_named("static")]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "companion.pages.static_files.BundlingStorage"},
}

#: Other sites may not use our static files.
WHITENOISE_ALLOW_ALL_ORIGINS = False

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024

#: The bearer token for /metrics; if empty, /metrics is closed.
METRICS_TOKEN = environment.text("METRICS_TOKEN")
#: The Sentry project that errors are reported to, if any.
SENTRY_DSN = environment.address("SENTRY_DSN", "https://key@host/1", "http", "https")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "redacted": {"()": "companion.observability.logs.Redacted"},
        "no_outage": {"()": "companion.observability.logs.NoOutage"},
        "no_cancelled": {"()": "companion.observability.logs.NoCancelled"},
    },
    "formatters": {
        "plain": {
            "()": "companion.observability.logs.Plain",
            "fmt": "%(asctime)s %(message)s",
            "datefmt": "%Y-%m-%d %H:%M:%S",
        },
        "json": {"()": "companion.observability.logs.Json"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "filters": ["redacted"],
            "formatter": environment.one_of("LOG_FORMAT", "plain", "json"),
        }
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "django.request": {"filters": ["no_outage"]},
        # uvicorn's own handlers would log URLs with their keys.
        "uvicorn": {"handlers": [], "propagate": True},
        "uvicorn.access": {"handlers": [], "propagate": True},
        "uvicorn.error": {"handlers": [], "propagate": True, "filters": ["no_cancelled"]},
        # It logs each try to connect; companion.fallback.outages logs an outage once.
        "psycopg.pool": {"level": "CRITICAL"},
    },
}
