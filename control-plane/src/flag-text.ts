import { z } from 'zod'

/** A boolean as queries of addresses and environment variables write it. */
export const flagText = z.enum(['true', 'false']).transform((text) => text === 'true')
