/**
 * Settings that libraries read when they are loaded, so this module comes first: compiling schemas
 * with `new Function` is refused by the content security policy, and even trying is reported.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
