import { config } from 'zod/v4/core'

// Compiling schemas with `new Function` is refused by the content security policy, and even trying is reported.
config({ jitless: true })
