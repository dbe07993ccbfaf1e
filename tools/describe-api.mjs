// Writes openapi.json and access-matrix.txt, both derived from the endpoint declarations, into the
// given folder. They are committed, so that a change of the API or of access shows up as a diff.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { headings, lists, routes } from '../control-plane/src/api.ts'
import { accessMatrix } from '../control-plane/src/http/reference/matrix.ts'
import { openapi } from '../control-plane/src/http/reference/openapi.ts'

const folder = process.argv[2]
writeFileSync(
  path.join(folder, 'openapi.json'),
  `${JSON.stringify(openapi(routes, headings, lists), null, 2)}\n`,
)
writeFileSync(path.join(folder, 'access-matrix.txt'), accessMatrix(routes))
