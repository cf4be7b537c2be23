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
from companion.accounts.mail import smtp_options
from companion.server import environment
from companion.server.home_folder import data_folder, home_secret_key, keep_private

PACKAGE_DIR = Path(__file__).resolve().parent
BASE_DIR = PACKAGE_DIR.parent
#: templates/ and static/ lie in this package where a wheel was installed, beside it in a checkout.
INSTALLED = (PACKAGE_DIR / "shared").is_dir()
SHARED_DIR = PACKAGE_DIR / "shared" if INSTALLED else BASE_DIR
VAR_DIR = Path(environment.text("TAKUJO_VAR") or (data_folder() if INSTALLED else BASE_DIR / "var"))
MODULES_DIR = BASE_DIR / "sessions" / "modules"

DATABASE_URL = environment.address(
    "DATABASE_URL", "postgres://user:password@host:5432/name", "postgres", "postgresql", "sqlite"
)
keep_private(VAR_DIR, database=not DATABASE_URL)
DATABASE_URL = DATABASE_URL or f"sqlite:///{VAR_DIR / 'takujo.sqlite3'}"

DEBUG = environment.switch("DEBUG")
SECRET_KEY = environment.text("SECRET_KEY") or home_secret_key(VAR_DIR)
SECRET_KEY_IS_HOME = not environment.text("SECRET_KEY")
# Phones reach a table at home by whatever address it has tonight; companion.server.origins guards
# the websocket.
ALLOWED_HOSTS = environment.text("ALLOWED_HOSTS", "*").split(",")
HTTPS = environment.switch("HTTPS")
#: The number of our own proxies that a request passes; only what they add to X-Forwarded-For is believed.
TRUSTED_PROXIES = environment.number("TRUSTED_PROXIES")
#: The people who may be behind one address, as at a convention or behind a tunnel: its limits grow with them.
PEOPLE_PER_ADDRESS = environment.number("PEOPLE_PER_ADDRESS", 40)
#: The address by which others reach us, the only one in letters. At home ``manage.py play`` sets it.
PUBLIC_URL = environment.address("PUBLIC_URL", "https://takujo.example", "http", "https").rstrip("/")

#: After so many days ``manage.py thin_nights`` drops the moves and messages of an evening; 0: never.
KEEP_NIGHTS_DAYS = environment.number("KEEP_NIGHTS_DAYS")

#: Where ``manage.py backup`` puts backups when no file is named, and what opens them, if anything.
BACKUP_DIR = Path(environment.text("BACKUP_DIR") or VAR_DIR / "backups")
BACKUP_PASSPHRASE = environment.text("BACKUP_PASSPHRASE")

REDIS_URL = environment.address("REDIS_URL", "redis://host:6379/0", "redis", "rediss", "unix")

INSTALLED_APPS = [
    "companion",
    "characters",
    "sessions",
    "companion.apps.ClosedAdminConfig",
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
    "companion.pages.later_files.LaterFilesMiddleware",
    # A phone's page is a tenth of its size then; the middleware pads answers, which is the remedy for BREACH.
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "companion.pages.guards.GuardMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "companion.wording.asked.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "companion.identity.people.PersonMiddleware",
    "companion.identity.company.CompanyMiddleware",
    "companion.identity.first_posts.FirstPostMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "companion.limits.quotas.FullMiddleware",
    "sessions.views.no_game.NoGameMiddleware",
    "sessions.views.not_yours.NotYoursMiddleware",
    "companion.limits.too_often.TooOftenMiddleware",
]

ROOT_URLCONF = "companion.urls"
ASGI_APPLICATION = "companion.asgi.application"

TEMPLATE_FOLDERS = [SHARED_DIR / "templates", *games.parts("templates")]
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
                "companion.identity.company.company",
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
        "BACKEND": "companion.drawing.engine.Engine",
        "DIRS": TEMPLATE_FOLDERS,
        "APP_DIRS": False,
        "OPTIONS": {
            # Those return the same for the same arguments.
            "filters": [
                "companion.figures.gaps",
                "companion.npc_names.npc_name",
                "companion.npc_names.skill_name",
            ],
            "functions": {
                "figure": "companion.figures.figure",
                "initial": "companion.figures.initial",
                "turn_mark": "companion.figures.turn_mark",
                "npc_kinds": "companion.npc_names.npc_kinds",
                "sends": "sessions.screen.forms.sends_here",
            },
        },
    },
]

DATABASES: dict[str, Any] = {"default": dj_database_url.parse(DATABASE_URL, conn_health_checks=True)}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"] |= {
        # The connection of the websocket thread stays open; reopening costs more than a move.
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            # A deferred transaction that reads first and writes later is refused at once when somebody wrote
            # in between: half of simultaneous moves were lost that way.
            "transaction_mode": "IMMEDIATE",
            "timeout": 10,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
        # Live servers of the tests are other threads: they need a file, not a private memory.
        "TEST": {"NAME": VAR_DIR / "test.sqlite3"},
    }
else:
    DATABASES["default"]["ENGINE"] = "companion.postgresql"
    DATABASES["default"]["OPTIONS"] = {
        # The patience is that of companion.postgresql, which asks the pool again and again.
        "pool": {"min_size": 1, "max_size": 10, "timeout": 0.25, "reconnect_timeout": 0.25},
        # A network that is gone answers nothing: it is given up after seconds, not a quarter of an hour.
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
            "BACKEND": "companion.steady.layer.SteadyLayer",
            # redis-py allows 100 connections by default: too few when all phones come back at once.
            "CONFIG": {"hosts": [{"address": REDIS_URL, "max_connections": 10_000}]},
        }
    }
    _redis = {"BACKEND": "companion.steady.cache.SteadyCache", "LOCATION": REDIS_URL}
    CACHES = {"default": _redis, "limits": _redis}
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    _memory = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    CACHES = {
        "default": _memory | {"OPTIONS": {"MAX_ENTRIES": 10_000}},
        # Who tried what (companion.limits.throttle): nothing else may push that out.
        "limits": _memory | {"LOCATION": "limits", "OPTIONS": {"MAX_ENTRIES": 50_000}},
    }

AUTH_USER_MODEL = "companion.User"
# The account name is found whatever its case: phones begin every word with a capital.
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "companion:home"
LOGOUT_REDIRECT_URL = "companion:home"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

#: A mail server that letters with a new password go out by; at home there is none.
EMAIL_URL = environment.address("EMAIL_URL", "smtp://name:password@host:587", "smtp", "smtps", "smtp+plain")
if EMAIL_URL:
    DEFAULT_FROM_EMAIL = environment.text(
        "EMAIL_FROM", f"takujo@{ALLOWED_HOSTS[0].strip('.*') or 'localhost'}"
    )
    if django.VERSION >= (6, 1):
        MAILERS = {
            "default": {
                "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
                "OPTIONS": smtp_options(EMAIL_URL),
            }
        }
    else:
        _smtp = smtp_options(EMAIL_URL)
        EMAIL_HOST, EMAIL_PORT, EMAIL_TIMEOUT = _smtp["host"], _smtp["port"], _smtp["timeout"]
        EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _smtp["username"], _smtp["password"]
        EMAIL_USE_TLS, EMAIL_USE_SSL = _smtp["use_tls"], _smtp["use_ssl"]

# Accounts: a name and a password. An e-mail address has one use, and is asked for only where mail goes out.
ACCOUNT_ADAPTER = "companion.accounts.adapters.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", *(["email"] if EMAIL_URL else []), "password1*", "password2*"]
ACCOUNT_SIGNUP_REDIRECT_URL = "companion:account"
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
# A family may share one address: its letter names the account. So nobody learns who has one.
ACCOUNT_UNIQUE_EMAIL = False
ACCOUNT_SESSION_REMEMBER = True
# The GM's account of a table at home (companion.identity.gm_link): nobody signs up under its name.
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
# companion.accounts counts these itself: limits of an account alone would let strangers keep its owner out.
ACCOUNT_RATE_LIMITS = {"signup": None, "login": None}
# Passkeys stand for the password and never come on top of it: at home, on plain http, they do not work.
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
CSRF_FAILURE_VIEW = "companion.views.csrf_failed"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 365
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if HTTPS else 0
# Subdomains and lists inside browsers are for the owner of a domain to decide, not for one server on it.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if HTTPS else None
X_FRAME_OPTIONS = "DENY"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],  # and websockets of the host that was asked: companion.pages.guards
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

#: True in tests alone: letters go to whatever address a device names, also on this machine (companion/push).
PUSH_TO_TEST_SERVERS = False

# So long the cards that a play drew lie face down while it can be taken back (sessions/table/veil.py).
GRACE_SECONDS = 5.0

LANGUAGE_CODE = "ja"
#: One more wants an entry here and catalogues; words of rows and books of games if there are any.
LANGUAGES = [("ja", "日本語"), ("en", "English"), ("ko", "한국어")]
#: The language that sentences are written in; it needs no catalogue.
SOURCE_LANGUAGE = "en"
#: Languages of which the core is translated, and what each says of that; the rest is in the source language.
#: Browsers that ask for one get the next that they ask for, and who chooses it is told.
PARTLY_TRANSLATED = {"ko": "일부만 한국어, 나머지는 영어입니다"}
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
LOCALE_PATHS = [BASE_DIR / "companion" / "locale", *games.parts("locale")]
USE_I18N = True
USE_TZ = True
TIME_ZONE = environment.zone("TZ", "Asia/Tokyo")

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [SHARED_DIR / "static", *games.parts("static")]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "companion.pages.bundling.BundlingStorage"},
}

#: Nobody else's pages use our files.
WHITENOISE_ALLOW_ALL_ORIGINS = False

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024

#: Whoever sends this as a bearer token may read /metrics; without one nobody may.
METRICS_TOKEN = environment.text("METRICS_TOKEN")
#: Where errors are reported to, if anywhere.
SENTRY_DSN = environment.address("SENTRY_DSN", "https://key@host/1", "http", "https")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "redacted": {"()": "companion.watching.logs.Redacted"},
        "no_outage": {"()": "companion.watching.logs.NoOutage"},
    },
    "formatters": {
        "plain": {
            "()": "companion.watching.logs.Plain",
            "fmt": "%(asctime)s %(message)s",
            "datefmt": "%Y-%m-%d %H:%M:%S",
        },
        "json": {"()": "companion.watching.logs.Json"},
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
        # uvicorn's own handlers would tell addresses with their keys.
        "uvicorn": {"handlers": [], "propagate": True},
        "uvicorn.access": {"handlers": [], "propagate": True},
        "uvicorn.error": {"handlers": [], "propagate": True},
        # Each try to connect, while companion.steady.outages tells once.
        "psycopg.pool": {"level": "CRITICAL"},
    },
}
