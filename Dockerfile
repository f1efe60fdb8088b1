# The st- commands in a slim image of Debian with Python 3.12, which a user without rights runs:
#   docker build -t scholartools .
#   docker run --rm -i -v "$PWD:/data" scholartools st-parse paper.pdf
FROM python:3.12-slim AS wheel
COPY . /source
RUN pip wheel --no-cache-dir --wheel-dir /wheels /source

FROM python:3.12-slim
RUN --mount=type=bind,from=wheel,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index --find-links /wheels /wheels/scholartools-*.whl \
 && useradd --create-home --uid 1000 reader
USER 1000
WORKDIR /data
ENV PYTHONUNBUFFERED=1
CMD ["st-parse", "--help"]
