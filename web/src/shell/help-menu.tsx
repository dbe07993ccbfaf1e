import { HELP } from '@lodge/shared/help.ts'
import { served } from '@lodge/shared/panel-paths.ts'
import { useRouterState } from '@tanstack/react-router'
import BookOpen from 'lucide-react/icons/book-open'
import CircleHelp from 'lucide-react/icons/circle-question-mark'
import Code from 'lucide-react/icons/code'
import ExternalLink from 'lucide-react/icons/external-link'
import FileText from 'lucide-react/icons/file-text'
import Keyboard from 'lucide-react/icons/keyboard'
import Terminal from 'lucide-react/icons/terminal'
import { brand } from '../brand.ts'
import { helpAt } from '../panel/entry-at.ts'
import { said } from '../panel/said.ts'
import { usePanel } from '../panel/use-panel.ts'
import { IconButton } from '../ui/buttons/button.tsx'
import { ActionMenu } from '../ui/buttons/menu.tsx'
import { openLastChanges, openShortcuts } from './sheets.ts'
import { t } from './words.ts'

/** Opens a page outside of the panel in a new tab. */
export const openBeside = (address: string): void =>
  void window.open(address, '_blank', 'noreferrer')

/** The document about the open page, the other documents, the reference, the shortcuts. */
export function HelpMenu() {
  const panel = usePanel()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const help = helpAt(panel, path)
  return (
    <ActionMenu
      label={t.help}
      entries={[
        ...(help === undefined
          ? []
          : [
              {
                label: said(HELP[help]),
                icon: <FileText />,
                onSelect: () => openBeside(served.help.replace('$name', help)),
              },
            ]),
        {
          label: t.allDocuments,
          icon: <BookOpen />,
          onSelect: () => openBeside(served.helpIndex),
        },
        ...(brand?.links ?? [])
          .filter(({ placement }) => placement === 'menu')
          .map(({ label, url }) => ({
            label,
            icon: <ExternalLink />,
            onSelect: () => openBeside(url),
          })),
        { label: t.apiReference, icon: <Code />, onSelect: () => openBeside(served.apiDocs) },
        {
          label: t.shortcuts,
          icon: <Keyboard />,
          separated: true,
          onSelect: openShortcuts,
        },
        { label: t.openLastChanges, icon: <Terminal />, onSelect: openLastChanges },
      ]}
    >
      <IconButton label={t.help}>
        <CircleHelp />
      </IconButton>
    </ActionMenu>
  )
}
