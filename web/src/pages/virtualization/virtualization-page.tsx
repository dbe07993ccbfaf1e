export default function VirtualizationPage() {
  return null
}
