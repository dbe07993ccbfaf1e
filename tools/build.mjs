// npm run build: the web panel and the bundled programs for deployment.
import { bundle } from './bundle.mjs'
import { buildWeb } from './web-build.mjs'

buildWeb()
await bundle()
