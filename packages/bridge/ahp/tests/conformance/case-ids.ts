/** The cases of the sheet's §19, by section. */
const range = (prefix: string, count: number, extra: readonly string[] = []) => [
  ...Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`),
  ...extra,
]

export const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  '19.1 Transport and JSON-RPC': range('TR', 13),
  '19.2 Versions': range('VE', 9),
  '19.3 Handshake, ping, shutdown': range('HS', 13),
  '19.4 Subscribing': range('SU', 14),
  '19.5 Reconnecting': range('RC', 16),
  '19.6 Creating and disposing': [...range('CR', 16), ...range('DI', 9)],
  '19.7 Actions and side effects': range('AC', 22),
  '19.8 Reducer cases': range('RE', 22),
  '19.9 Claims': range('CL', 16, ['CL-11a', 'CL-11b', 'CL-11c']),
  '19.10 Command detection': range('CD', 12),
  '19.11 Volume': range('VO', 9),
  '19.12 Security': range('SE', 8),
}
