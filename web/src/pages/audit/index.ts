import { createRoute } from '@tanstack/react-router'
import ScrollText from 'lucide-react/icons/scroll-text'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { inside } from '../../routes/frames.ts'
import { given, type Raw, text } from '../../routes/search.ts'
import { names } from './names.ts'

const auditSearch = (raw: Raw) =>
  given({
    actor: text(raw.actor),
    target: text(raw.target),
    person: text(raw.person),
    action: text(raw.action),
    address: text(raw.address),
    q: text(raw.q),
    looks: raw.looks === true || undefined,
    from: text(raw.from),
    to: text(raw.to),
    after: text(raw.after),
  })

const audit = createRoute({
  getParentRoute: () => inside,
  path: paths.audit,
  validateSearch: auditSearch,
  component: page(() => import('./audit-page.tsx')),
})

export default definePages({
  routes: {
    inside: [audit],
  },
  navigation: () => [
    {
      to: paths.audit,
      label: names.audit,
      icon: ScrollText,
      group: 'system',
      needs: 'audit.view',
      help: 'audit',
    },
  ],
})
