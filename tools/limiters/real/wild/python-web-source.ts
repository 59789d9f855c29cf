/** Small servers in Python, each with the limiter of a framework. Arguments: port, and rates. */

/** FastAPI with slowapi. */
export const SLOWAPI_SOURCE = `import sys

import uvicorn
from fastapi import FastAPI, Request, Response
from slowapi import Limiter, _rate_limit_exceeded_handler
from slowapi.errors import RateLimitExceeded
from slowapi.util import get_remote_address

port, rate = sys.argv[1:]
limiter = Limiter(key_func=get_remote_address, headers_enabled=True)
app = FastAPI()
app.state.limiter = limiter
app.add_exception_handler(RateLimitExceeded, _rate_limit_exceeded_handler)


@app.get("/v1/config/chains")
@limiter.limit(rate)
async def chains(request: Request, response: Response):
    return {"status": "success", "data": {}}


uvicorn.run(app, host="127.0.0.1", port=int(port), log_level="error")
`;

/** Flask with Flask-Limiter. */
export const FLASK_SOURCE = `import logging
import sys

from flask import Flask
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from werkzeug.serving import WSGIRequestHandler

port, *rates = sys.argv[1:]
WSGIRequestHandler.protocol_version = "HTTP/1.1"
logging.getLogger("werkzeug").disabled = True
app = Flask("limits")
limiter = Limiter(
    get_remote_address,
    app=app,
    default_limits=[";".join(rates)],
    storage_uri="memory://",
    strategy="moving-window",
)


@app.get("/v1/config/chains")
def chains():
    return {"status": "success", "data": {}}


app.run(host="127.0.0.1", port=int(port), threaded=True)
`;

/** Django with django-ratelimit. */
export const DJANGO_SOURCE = `import sys

from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import JsonResponse
from django.urls import path

port, rate = sys.argv[1:]
settings.configure(
    ALLOWED_HOSTS=["*"],
    CACHES={"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}},
    LOGGING_CONFIG=None,
    ROOT_URLCONF=__name__,
    SILENCED_SYSTEM_CHECKS=["django_ratelimit.E003", "django_ratelimit.W001"],
    USE_TZ=True,
)

from django_ratelimit.decorators import ratelimit


@ratelimit(key="ip", rate=rate)
def chains(request):
    return JsonResponse({"status": "success", "data": {}})


urlpatterns = [path("v1/config/chains", chains)]
execute_from_command_line(["server", "runserver", "--noreload", "127.0.0.1:" + port])
`;
