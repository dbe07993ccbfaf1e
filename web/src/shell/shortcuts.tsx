import { SwitchField } from '../ui/choices/switch-field.tsx'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { Facts } from '../ui/page/card.tsx'
import { Column } from '../ui/page/layout.tsx'
import { setOneKey, useOneKey } from './one-key.ts'
import { useEntriesWithKey } from './use-shortcuts.ts'

/** The sheet that lists the shortcuts (`?`) and switches those of one key off. */
export default function Shortcuts({ onClose }: { onClose: () => void }) {
  const oneKey = useOneKey()
  const rows = useEntriesWithKey().map(
    ({ shortcut, label }) => [`Go to ${label}`, <kbd key={shortcut}>g {shortcut}</kbd>] as const,
  )
  return (
    <Dialog title="Keyboard shortcuts" opened onClose={onClose}>
      <Column>
        <Facts
          rows={[
            ['Commands and search', <kbd key="k">Ctrl K</kbd>],
            ['Search in this list', <kbd key="/">/</kbd>],
            [
              'Next and previous row',
              <span key="jk">
                <kbd>j</kbd> <kbd>k</kbd>
              </span>,
            ],
            ['Select the row', <kbd key="x">x</kbd>],
            ['Open the row', <kbd key="enter">Enter</kbd>],
            ['This sheet', <kbd key="?">?</kbd>],
            ...rows,
            ['Search in the console', <kbd key="f">Ctrl F</kbd>],
            ['Previous command in the console', <kbd key="up">↑</kbd>],
            ['Complete a command in the console', <kbd key="tab">Tab</kbd>],
          ]}
        />
        <SwitchField
          label="Shortcuts of one key"
          description="They do nothing while you type in a field. Ctrl K always works."
          value={oneKey}
          onChange={setOneKey}
        />
      </Column>
    </Dialog>
  )
}
