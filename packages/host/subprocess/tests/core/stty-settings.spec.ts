import { describe, expect, it } from 'vitest'
import { parseSttySettings } from '../../src/core/index.js'

const GNU = `speed 38400 baud; rows 24; columns 80; line = 0;
intr = ^C; quit = ^\\; erase = ^?; kill = ^U; eof = ^D; eol = <undef>;
-parenb -parodd -cmspar cs8 hupcl -cstopb cread -clocal -crtscts
isig icanon iexten echo echoe echok -echonl -noflsh -xcase -tostop -echoprt
echoctl echoke -flusho -extproc`

const BSD = `speed 9600 baud; 24 rows; 80 columns;
lflags: -icanon isig iexten -echo echoe -echok echoke -echonl echoctl
	-echoprt -altwerase -noflsh -tostop -flusho pendin -nokerninfo
	-extproc
iflags: -istrip icrnl -inlcr`

describe('parseSttySettings', () => {
  it('reads the form of GNU', () => {
    expect(parseSttySettings(GNU)).toEqual({ echo: true, canonical: true, signals: true })
  })

  it('reads the form of BSD and macOS', () => {
    expect(parseSttySettings(BSD)).toEqual({ echo: false, canonical: false, signals: true })
  })

  it.each(['', 'stty: standard input: Inappropriate ioctl for device', 'isig icanon', 'echoe isig icanon'])(
    'answers nothing for %j',
    (text) => {
      expect(parseSttySettings(text)).toBeUndefined()
    },
  )
})
