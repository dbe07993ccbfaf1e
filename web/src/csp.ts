/**
 * Libraries read these settings when they load, so this module comes first: the content security
 * policy blocks compiling schemas with `new Function`, and even the attempt is reported.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
