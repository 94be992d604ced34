# The image of the hosted form: web, worker, beat and migrate are the same image with different commands.
FROM python:3.13-slim

ENV PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1

# pg_dump, for the backup before a migration.
RUN apt-get update \
    && apt-get install -y --no-install-recommends postgresql-client \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /app
COPY requirements.txt .
# Each package is checked by its digest, and none is compiled.
RUN pip install --require-hashes --only-binary :all: -r requirements.txt

COPY . .
RUN useradd --uid 10001 --create-home roofline \
    && install -d -o roofline -g roofline /data \
    && ROOFLINE_VAR=/tmp/build ROOFLINE_STATIC_ROOT=/app/staticfiles python manage.py collectstatic --noinput \
    && rm -rf /tmp/build

USER roofline
ENV ROOFLINE_HOSTED=1 ROOFLINE_VAR=/data ROOFLINE_STATIC_ROOT=/app/staticfiles
VOLUME /data
EXPOSE 8000
CMD ["gunicorn", "-c", "python:trainer.ops.gunicorn_conf", "--bind", "0.0.0.0:8000", "trainer.wsgi"]
