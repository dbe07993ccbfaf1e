import { createRoute } from '@tanstack/react-router'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { oneServer } from '../../routes/frames.ts'
import { given, type Raw, text } from '../../routes/search.ts'
import { names } from './names.ts'

const serverFiles = createRoute({
  getParentRoute: () => oneServer,
  path: 'files',
  validateSearch: (raw: Raw) => given({ path: text(raw.path) }),
  component: page(() => import('./files-tab.tsx')),
})
const editFile = createRoute({
  getParentRoute: () => oneServer,
  path: 'files/edit',
  validateSearch: (raw: Raw) => given({ path: text(raw.path) }),
  component: page(() => import('./edit/edit-tab.tsx')),
})

/** The files of container servers; virtual machines have disks instead. */
export default definePages({
  routes: { server: [serverFiles, editFile] },
  serverTabs: () => [
    {
      to: paths.serverFiles,
      label: names.files,
      section: 'use',
      kind: 'container',
      help: 'files',
    },
  ],
})
