import KeyRound from 'lucide-react/icons/key-round'
import { Button, type ButtonSize } from '../../../ui/buttons/button.tsx'
import { whyNoPasskeys } from './passkey.ts'
import { t } from './words.ts'

interface PasskeyButtonProps {
  size?: ButtonSize
  /** In a dialog: receives the focus when it opens. */
  first?: boolean
  /** Uses the passkey; `isPending` while it runs. */
  use: { mutate: () => void; isPending: boolean }
}

/** Requests a passkey from the browser, or explains why that is impossible. */
export function PasskeyButton({ use, size = 'medium', first }: PasskeyButtonProps) {
  return (
    <Button
      data-autofocus={first}
      size={size}
      kind="primary"
      full
      icon={<KeyRound />}
      busy={use.isPending}
      disabledBecause={whyNoPasskeys()}
      onClick={() => use.mutate()}
    >
      {t.usePasskey}
    </Button>
  )
}
