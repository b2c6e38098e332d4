import { z } from 'zod'

export const Config = z
  .strictObject({
    /** Shortest time between two output messages of a card, in milliseconds. The first output goes out at once. */
    flushIntervalMs: z.int().min(10).max(5000).default(80),
    /** Output that goes out before its time because so much is waiting, and most of one message, in UTF-16 units. */
    maxChunkUnits: z.int().min(1024).max(65_536).default(32_768),
    /** Most UTF-8 bytes of output in one card. */
    maxCardBytes: z.int().min(8192).max(1_073_741_824).default(4_194_304),
    /** UTF-8 bytes of that which are kept for the end of an output that is too long. */
    cardTailBytes: z.int().min(1024).max(67_108_864).default(262_144),
    /** Most UTF-8 bytes of one text block. */
    maxBlockBytes: z.int().min(256).max(1_000_000).default(61_440),
    /** Tools that run only after the client has allowed the call. `*` stands for all. */
    askPermission: z.array(z.string().min(1)).default([]),
    /** How long a client that does not read may hold up the end of its connection, in milliseconds. */
    closeGraceMs: z.int().min(0).max(60_000).default(2000),
    /** Where sessions are kept, so that a client can load them again. Absent: they are not kept. */
    sessionsDirectory: z.string().min(1).optional(),
  })
  .refine(({ maxCardBytes, cardTailBytes }) => cardTailBytes < maxCardBytes, {
    path: ['cardTailBytes'],
    message: 'must be below maxCardBytes',
  })
  .prefault({})
export type Config = z.output<typeof Config>
