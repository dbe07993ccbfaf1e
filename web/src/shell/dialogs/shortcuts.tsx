import { setOneKey, useOneKey } from '../../session/one-key.ts'
import { useMay } from '../../session/session.ts'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Facts } from '../../ui/page/card.tsx'
import { Column } from '../../ui/page/layout.tsx'
import { useEntriesWithKey } from '../use-shortcuts.ts'
import { t } from './words.ts'

/** Keys of an open ticket. */
const ticketRows = () =>
  [
    [t.ticketNext, 'j', 'k'],
    [t.ticketReply, 'r'],
    [t.ticketNote, 'n'],
    [t.ticketMacro, 'm'],
    [t.ticketSlash, '/'],
    [t.ticketAssign, 'a'],
    [t.ticketSolve, 'e'],
    [t.ticketSnooze, 's'],
    [t.ticketFields, 'o', 'p', 't'],
    [t.ticketBack, 'u'],
    [t.ticketSend, t.sendKeys],
  ].map(
    ([label = '', ...keys]) =>
      [
        label,
        <span key={label}>
          {keys.map((key) => (
            <kbd key={key}>{key} </kbd>
          ))}
        </span>,
      ] as const,
  )

/** The sheet that lists the shortcuts (`?`) and switches those of one key off. */
export default function Shortcuts({ onClose }: { onClose: () => void }) {
  const oneKey = useOneKey()
  const may = useMay()
  const rows = useEntriesWithKey().map(
    ({ shortcut, label }) =>
      [t.goTo({ page: label }), <kbd key={shortcut}>g {shortcut}</kbd>] as const,
  )
  return (
    <Dialog title={t.shortcuts} opened onClose={onClose}>
      <Column>
        <Facts
          rows={[
            [t.palette, <kbd key="k">{t.paletteKeys}</kbd>],
            [t.searchList, <kbd key="/">/</kbd>],
            [
              t.rows,
              <span key="jk">
                <kbd>j</kbd> <kbd>k</kbd>
              </span>,
            ],
            [t.selectRow, <kbd key="x">x</kbd>],
            [t.openRow, <kbd key="enter">{t.enter}</kbd>],
            [t.thisSheet, <kbd key="?">?</kbd>],
            ...rows,
            ...(may('support.view') ? ticketRows() : []),
            [t.searchConsole, <kbd key="f">{t.searchConsoleKeys}</kbd>],
            [t.previousCommand, <kbd key="up">↑</kbd>],
            [t.completeCommand, <kbd key="tab">{t.tab}</kbd>],
          ]}
        />
        <SwitchField
          label={t.oneKey}
          description={t.oneKeyHelp}
          value={oneKey}
          onChange={setOneKey}
        />
      </Column>
    </Dialog>
  )
}
