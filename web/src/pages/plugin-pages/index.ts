import { createRoute } from '@tanstack/react-router'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { inside, oneServer } from '../../routes/frames.ts'
import { askForPluginPages } from '../../session/plugin-pages.ts'

// One chunk for all three: everybody loads this declaration, and most panels have no such page.
const component = page(() => import('./plugin-page.tsx'))

const ofCustomers = createRoute({
  getParentRoute: () => inside,
  path: paths.pluginPage,
  component,
})
const ofAdministrators = createRoute({
  getParentRoute: () => inside,
  path: paths.adminPluginPage,
  component,
})
const onServer = createRoute({
  getParentRoute: () => oneServer,
  path: 'pages/$plugin/$page',
  component,
})

/** Pages of plugins; the shell's navigation fetches their entries. */
export default definePages({
  routes: { inside: [ofCustomers, ofAdministrators], server: [onServer] },
  find: () => import('./find-pages.ts'),
  // After a gap in the stream an event may have been missed.
  patches: { 'plugin-pages': askForPluginPages, reset: askForPluginPages },
})
