// npm run build [-- folder]: the web panel and the bundled programs, by default into dist/.
import path from 'node:path'
import { bundle } from './bundle.mjs'
import { at } from './place.mjs'
import { buildWeb } from './web-build.mjs'

buildWeb()
await bundle(path.resolve(process.argv[2] ?? at('dist')))
