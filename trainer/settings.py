"""Settings. Everything that differs between a machine at home and a host comes from the environment."""

import os
from decimal import Decimal
from pathlib import Path

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from trainer.environment import address, amount, day, secret, whole_number
from trainer.home_secret import local_secret_key
from trainer.ops.broker import broker_url

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(os.environ.get("ROOFLINE_VAR", BASE_DIR / "var"))
VAR_DIR.mkdir(parents=True, exist_ok=True)

HOSTED = os.environ.get("ROOFLINE_HOSTED", "") == "1"
DEBUG = os.environ.get("ROOFLINE_DEBUG", "") == "1" and not HOSTED


def _required_when_hosted(name: str, at_home: str) -> str:
    """The variable `name`; at home a default will do, a host that forgets it does not start."""
    value = os.environ.get(name, "")
    if HOSTED and not value:
        raise ImproperlyConfigured(f"{name} must be set in the environment when ROOFLINE_HOSTED=1.")
    return value or at_home


SECRET_KEY = _required_when_hosted("SECRET_KEY", "") or local_secret_key(VAR_DIR)
# The container's own health check asks 127.0.0.1.
ALLOWED_HOSTS = [*_required_when_hosted("ALLOWED_HOSTS", "localhost,[::1]").split(","), "127.0.0.1"]

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "trainer.accounts",
    "trainer.home",
    "trainer.rounds",
    "trainer.review",
    "trainer.drills",
    "trainer.study",
    "calculator",
    "designs",
    "grading",
    "trainer.ops",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "trainer.accounts.middleware.WhoIsHere",
    "trainer.accounts.middleware.LogInRequired",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
SECURE_CSP = {
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'"],
    "img-src": ["'self'", "data:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'"],
    "form-action": ["'self'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
    "manifest-src": ["'self'"],
}
ROOT_URLCONF = "trainer.urls"
WSGI_APPLICATION = "trainer.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": False,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

SQLITE_OPTIONS = {
    "timeout": 20,
    "transaction_mode": "IMMEDIATE",
    # Django turns foreign keys on by itself. FULL: what was acknowledged survives a power cut too.
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
}
DATABASES = {
    "default": dj_database_url.parse(
        _required_when_hosted("DATABASE_URL", f"sqlite:///{VAR_DIR / 'roofline.sqlite3'}"), conn_max_age=0
    ),
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = SQLITE_OPTIONS
else:
    DATABASES["default"].setdefault("OPTIONS", {})["connect_timeout"] = 5
    if os.environ.get("ROOFLINE_DATABASE_POOL") == "1":  # the web server's; a pool's threads do not survive a fork
        DATABASES["default"]["OPTIONS"]["pool"] = {"min_size": 1, "max_size": 10, "timeout": 5}

AUTH_USER_MODEL = "accounts.User"
LOGIN_URL = "accounts:log_in"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = LOGIN_URL
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en-gb"
USE_I18N = False

STATIC_URL = "/static/"
STATIC_ROOT = Path(os.environ.get("ROOFLINE_STATIC_ROOT", VAR_DIR / "static"))
STATIC_ROOT.mkdir(parents=True, exist_ok=True)
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "trainer.static_files.HashedStaticFiles"},
}

CONTENT_DIRS = [BASE_DIR / "designs" / "content"] + [
    Path(folder) for folder in os.environ.get("CONTENT_DIRS", "").split(os.pathsep) if folder
]

CELERY_BROKER_URL = _required_when_hosted("BROKER_URL", broker_url(VAR_DIR))
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True  # what a task did is in the rows it changed
CELERY_ENABLE_UTC = True
# A task that dies with its worker comes back; it claims its row before it does anything twice.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CONCURRENCY = int(os.environ.get("ROOFLINE_WORKERS", "2"))
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_TASK_TIME_LIMIT = 300
CELERY_TASK_SOFT_TIME_LIMIT = 270
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker for as long as it takes
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 600,  # above the longest task: a backstop only
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    # A broker that is down or hangs must not hang the request that asks it.
    "socket_connect_timeout": 2,
    "socket_timeout": 3,
    "max_retries": 0,
}
CELERY_TASK_PUBLISH_RETRY = False
# Calls of a model wait for minutes and compute nothing: a process of threads takes them, and nothing else waits behind.
CELERY_TASK_ROUTES = {
    "grading.tasks.critique_run": {"queue": "critic"},
    "grading.tasks.reply_run": {"queue": "critic"},
}
CELERY_BEAT_SCHEDULE = {
    "finalise-due-rounds": {
        "task": "trainer.rounds.tasks.finalise_due_rounds",
        "schedule": 5.0,
        "options": {"expires": 15},  # none pile up while no worker runs
    },
    "recover-work-for-the-model": {
        "task": "grading.tasks.recover_work",
        "schedule": 5.0,
        "options": {"expires": 15},
    },
}
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"  # nothing to remember: every entry is an interval of seconds

# The critic's endpoint: any server that speaks OpenAI's chat completions. None: the built-in critic does the work.
CRITIC_BASE_URL = address("CRITIC_BASE_URL")
CRITIC_API_KEY = secret("CRITIC_API_KEY")
CRITIC_MODEL = os.environ.get("CRITIC_MODEL", "").strip()
if CRITIC_BASE_URL and not CRITIC_MODEL:
    raise ImproperlyConfigured("CRITIC_MODEL must name the model to ask when CRITIC_BASE_URL is set.")
# Three calls of this length at most make one critique: together below the broker's visibility timeout.
CRITIC_TIMEOUT_S = whole_number("CRITIC_TIMEOUT_S", 120, least=1, most=140)
CRITIC_MAX_OUTPUT_TOKENS = whole_number("CRITIC_MAX_OUTPUT_TOKENS", 8000, least=256, most=128_000)
CRITIC_USD_PER_MILLION_INPUT = amount("CRITIC_USD_PER_MILLION_INPUT", None, most=10_000)
CRITIC_USD_PER_MILLION_OUTPUT = amount("CRITIC_USD_PER_MILLION_OUTPUT", None, most=10_000)
CRITIC_PRICE_AS_OF = day("CRITIC_PRICE_AS_OF")
CRITIC_DAILY_BUDGET_USD = amount("CRITIC_DAILY_BUDGET_USD", Decimal(2), most=1_000_000)  # of one trainee
CRITIC_REQUEST_CAP_USD = amount(
    "CRITIC_REQUEST_CAP_USD", Decimal("0.5"), most=1_000_000
)  # of one critique, or one reply
CRITIC_CONCURRENCY = whole_number("CRITIC_CONCURRENCY", 16, least=1, most=64)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "stream": "ext://sys.stdout", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": ["console"], "level": "WARNING", "propagate": False},
        "django.request": {"level": "ERROR"},  # a 404, 409 or 422 is an answer, not an incident
        "gunicorn.http.wsgi": {"level": "ERROR"},  # it warns of every HEAD request
        "trainer": {"level": "INFO"},
        "grading": {"level": "INFO"},
        "celery": {"level": "WARNING"},
    },
}

if HOSTED:
    # Behind a proxy that ends TLS. ROOFLINE_HTTPS=0 is for a private network without one.
    HTTPS = os.environ.get("ROOFLINE_HTTPS", "1") == "1"
    CSRF_TRUSTED_ORIGINS = [origin for origin in os.environ.get("CSRF_TRUSTED_ORIGINS", "").split(",") if origin]
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
    SECURE_REDIRECT_EXEMPT = [r"^livez$", r"^healthz$"]
    if HTTPS:
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
        SECURE_HSTS_SECONDS = int(os.environ.get("ROOFLINE_HSTS_SECONDS", str(365 * 24 * 3600)))

# A paste that is far too long must reach its view, which refuses it with 413 and keeps it in the page.
DATA_UPLOAD_MAX_MEMORY_SIZE = 16 * 1024 * 1024
