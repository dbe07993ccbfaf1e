/**
 * Where the panel serves the worker that shows notifications (web/public/push-worker.js). Not among
 * the addresses of `panel-paths.ts`, which every visitor loads.
 */
export const PUSH_WORKER = '/push-worker.js'
