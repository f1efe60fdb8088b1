# The commands in an image of 3.12 on Debian, run by a user without rights:
#   docker build -t scholartools .
#   docker run --rm -i -v "$PWD:/data" scholartools st-parse paper.pdf
FROM python:3.12-slim AS wheel
COPY . /source
RUN pip wheel --no-cache-dir --wheel-dir /wheels /source

FROM python:3.12-slim
RUN --mount=type=bind,from=wheel,source=/wheels,target=/wheels pip install --no-cache-dir --no-index --find-links /wheels scholartools \
 && useradd --create-home reader
USER reader
WORKDIR /data
ENV PYTHONUNBUFFERED=1
CMD ["st-parse", "--help"]
