import { createRoute } from '@tanstack/react-router'
import Boxes from 'lucide-react/icons/boxes'
import { liveRows } from '../../live/rows.ts'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { inside } from '../../routes/frames.ts'
import { names } from './names.ts'

const templates = createRoute({
  getParentRoute: () => inside,
  path: paths.templates,
  component: page(() => import('./templates-page.tsx')),
})
const newTemplate = createRoute({
  getParentRoute: () => inside,
  path: paths.newTemplate,
  component: page(() => import('./new-template-page.tsx')),
})
const writeTemplate = createRoute({
  getParentRoute: () => inside,
  path: paths.writeTemplate,
  component: page(() => import('./write-template-page.tsx')),
})
const editTemplate = createRoute({
  getParentRoute: () => inside,
  path: paths.editTemplate,
  component: page(() => import('./edit-template-page.tsx')),
})
const template = createRoute({
  getParentRoute: () => inside,
  path: paths.template,
  component: page(() => import('./template-page.tsx')),
})

export default definePages({
  routes: {
    inside: [templates, newTemplate, writeTemplate, template, editTemplate],
  },
  navigation: () => [
    {
      to: paths.templates,
      label: names.templates,
      icon: Boxes,
      group: 'catalogue',
      needs: 'templates.view',
      shortcut: 't',
      help: 'templates',
    },
  ],
  actions: () => [
    {
      to: paths.writeTemplate,
      group: 'create',
      label: names.newTemplate,
      needs: 'templates.manage',
    },
    {
      to: paths.newTemplate,
      group: 'create',
      label: names.importTemplate,
      needs: 'templates.manage',
    },
  ],
  find: () => import('./find-templates.ts'),
  rows: { template: liveRows('GET /api/templates', 'GET /api/templates/{id}') },
})
