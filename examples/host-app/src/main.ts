/**
 * host-app: a small HTTP service that runs each job in a session of Troupe.
 *
 * HOST_APP_HOME is where the sessions are recorded (made by the first job), HOST_APP_PORT where it
 * listens, on this machine alone (0 takes a free one), OTEL_EXPORTER_OTLP_ENDPOINT a collector.
 * HOST_APP_SCOPE=systemd gives the tmux server a scope of its own: see host-app@.service.
 * Logs are JSON on standard error. A signal ends it; the sessions live on.
 *
 * Run it: HOST_APP_HOME=/tmp/host-app node examples/host-app/dist/main.js
 */
import { createServer } from "node:http";
import { HttpMiddleware, HttpServer } from "@effect/platform";
import { layerServer } from "@effect/platform-node/NodeHttpServer";
import { runMain } from "@effect/platform-node/NodeRuntime";
import { Troupe } from "@troupe/node";
import { Config, Effect, Layer, Logger, Option } from "effect";
import { exporting } from "./Exporting.js";
import { Jobs } from "./Jobs.js";
import { routes } from "./Routes.js";

const isPort = {
  message: "a port is 0 to 65535",
  validation: (port: number) => port >= 0 && port <= 65_535,
};

const options = Config.all({
  home: Config.nonEmptyString("HOST_APP_HOME"),
  socket: Config.option(Config.nonEmptyString("HOST_APP_SOCKET")),
  port: Config.withDefault(Config.validate(Config.integer("HOST_APP_PORT"), isPort), 8080),
  server: Config.option(
    Config.map(Config.literal("systemd", "inherited")("HOST_APP_SCOPE"), (scope) => ({ scope })),
  ),
  collector: Config.option(Config.nonEmptyString("OTEL_EXPORTER_OTLP_ENDPOINT")),
});

const service = Effect.map(options, ({ collector, home, port, server, socket }) =>
  HttpServer.serve(routes, HttpMiddleware.logger).pipe(
    HttpServer.withLogAddress,
    Layer.provide(layerServer(createServer, { port, host: "127.0.0.1" })),
    Layer.provide(Jobs.layer),
    // In a test this line is another: see ../test/Service.ts.
    Layer.provide(
      Troupe.layer({
        ...{ home, socket: Option.getOrUndefined(socket) },
        server: Option.getOrUndefined(server),
      }),
    ),
    Layer.provide(exporting(Option.getOrNull(collector))),
  ),
);

const stderr = Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.jsonLogger));

runMain(Layer.launch(Layer.provide(Layer.unwrapEffect(service), stderr)), {
  disablePrettyLogger: true,
});
