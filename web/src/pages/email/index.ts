import { createRoute } from '@tanstack/react-router'
import Mail from 'lucide-react/icons/mail'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { inside } from '../../routes/frames.ts'
import { names } from './names.ts'
import { outboxSearch } from './outbox-search.ts'

const email = createRoute({
  getParentRoute: () => inside,
  path: paths.email,
  component: page(() => import('./email-frame.tsx')),
})
const emailOutbox = createRoute({
  getParentRoute: () => email,
  path: '/',
  validateSearch: outboxSearch,
  component: page(() => import('./outbox-tab.tsx')),
})
const emailTemplates = createRoute({
  getParentRoute: () => email,
  path: 'templates',
  component: page(() => import('./templates-tab.tsx')),
})
const emailTemplate = createRoute({
  getParentRoute: () => inside,
  path: paths.emailTemplate,
  component: page(() => import('./template-page.tsx')),
})

export default definePages({
  routes: {
    inside: [email.addChildren([emailOutbox, emailTemplates]), emailTemplate],
  },
  navigation: () => [
    {
      to: paths.email,
      label: names.email,
      icon: Mail,
      group: 'system',
      needs: 'email.view',
      help: 'mail',
    },
  ],
  actions: () => [
    {
      to: paths.emailTemplates,
      group: 'settings',
      label: names.templates,
      keywords: names.templatesKeywords,
      needs: 'email.view',
    },
  ],
})
