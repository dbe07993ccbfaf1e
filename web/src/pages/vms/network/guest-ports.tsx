import { Text } from '../../../ui/page/layout.tsx'
import { useVm } from '../use-vm.ts'
import { t } from '../words.ts'

/** Where one port of the node leads inside the machine: `TCP 22, UDP 53`. */
export function GuestPorts({ hostPort }: { hostPort: number }) {
  const ports = useVm().data?.ports
  if (!ports) return null
  const rules = ports.find((port) => port.hostPort === hostPort)?.rules ?? []
  if (rules.length === 0) return <Text faint>{t.nowhere}</Text>
  return (
    <Text mono>
      {rules
        .map(({ protocol, guestPort }) =>
          t.protocolPort({ protocol: protocol.toUpperCase(), port: String(guestPort) }),
        )
        .join(', ')}
    </Text>
  )
}
