/**
 * Exporting: spans, metrics and logs to a collector, in the protocol of OpenTelemetry.
 *
 * Troupe tells Effect's tracer, metrics and logger, and knows no exporter. This is all that a host
 * needs to see `Sessions.create` below `http.server POST`, with the session's name, and
 * `troupe.operations` by outcome. Without an address nothing is sent.
 */

import { layerJson } from "@effect/opentelemetry/Otlp";
import { FetchHttpClient, type HttpClient } from "@effect/platform";
import { Layer } from "effect";

const resource = { serviceName: "troupe-host-app" };

/** Sends to the collector over the client that is there. */
export const exportingTo = (baseUrl: string): Layer.Layer<never, never, HttpClient.HttpClient> =>
  layerJson({ baseUrl, resource, metricsExportInterval: "10 seconds" });

/** The same over a client of its own, or nothing without an address. */
export const exporting = (baseUrl: string | null): Layer.Layer<never> =>
  baseUrl === null ? Layer.empty : Layer.provide(exportingTo(baseUrl), FetchHttpClient.layer);
