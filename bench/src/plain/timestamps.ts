import pg from 'pg'

export type { InWords } from '../../../control-plane/src/db/timestamps.ts'

const TIMESTAMPTZ = 1184
const parse = pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => Date

/** pg's own parser. */
export const timestampOf = parse

export const timestampAsText = (text: string): string => parse(text).toISOString()

export const timestampsAsText: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    oid === TIMESTAMPTZ && format !== 'binary'
      ? timestampAsText
      : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
}
