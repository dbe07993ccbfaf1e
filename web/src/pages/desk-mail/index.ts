import { createRoute } from '@tanstack/react-router'
import MailQuestion from 'lucide-react/icons/mail-question-mark'
import TextQuote from 'lucide-react/icons/text-quote'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { inside, root } from '../../routes/frames.ts'
import { names } from './names.ts'

const reportAbuse = createRoute({
  getParentRoute: () => root,
  path: paths.reportAbuse,
  component: page(() => import('./report-page.tsx')),
})
const reportStatus = createRoute({
  getParentRoute: () => root,
  path: paths.reportStatus,
  component: page(() => import('./report-status-page.tsx')),
})
const deskMail = createRoute({
  getParentRoute: () => inside,
  path: paths.deskMail,
  component: page(() => import('./mail-page.tsx')),
})
const macros = createRoute({
  getParentRoute: () => inside,
  path: paths.macros,
  component: page(() => import('./macros-page.tsx')),
})

/** What reaches the support desk from outside the panel, and the macros of agents. */
export default definePages({
  routes: { outside: [reportAbuse, reportStatus], inside: [deskMail, macros] },
  navigation: () => [
    {
      to: paths.macros,
      label: names.macros,
      icon: TextQuote,
      group: 'people',
      needs: 'support.reply',
      help: 'support-mail',
    },
    {
      to: paths.deskMail,
      label: names.mail,
      icon: MailQuestion,
      group: 'people',
      needs: 'support.settings',
      help: 'support-mail',
    },
  ],
  actions: () => [
    {
      to: paths.deskMail,
      group: 'settings',
      label: names.mail,
      keywords: names.mailKeywords,
      needs: 'support.settings',
      help: 'support-mail',
    },
    {
      to: paths.macros,
      group: 'settings',
      label: names.macros,
      keywords: names.macrosKeywords,
      needs: 'support.reply',
      help: 'support-mail',
    },
  ],
})
