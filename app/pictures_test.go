//go:build pictures

package main

import (
	"bytes"
	"cmp"
	"context"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// heaviest is how many bytes a picture may have: a page shows several at once.
const heaviest = 120_000

// TestPictures writes the README's pictures: the demo company in a window of
// 1280 by 800, light.
func TestPictures(t *testing.T) {
	s := serving(t, "CREWLET_COMPANY=../docs/demo/company.yaml")
	s.must(t, "", "demo")
	x := openBrowser(t).person(t, s.url)
	s.setUp(x)
	x.do("set the window", chromedp.EmulateViewport(1280, 800))
	x.open("/settings/tools")
	for name, state := range map[string]string{
		"everything": "Running", "memory": "Running", "plotter": "Failing", "weather": "Failing", "archive": "Disabled",
	} {
		x.says(name, state)
	}
	x.lists("get-sum")
	x.lists("create_entities")
	x.within(starting, "nothing on its way", `!document.querySelector("#servers .is-busy")`)
	x.open("/settings/tools")
	x.picture("tools")

	x.open("/settings/tools/servers/everything")
	x.picture("server")

	x.open("/settings/tools/tool/get-sum")
	x.fill(`[name="_arg:a"]`, "2")
	x.fill(`[name="_arg:b"]`, "40")
	x.came("42")
	x.picture("try")

	x.open("/settings/tools/new?preset=memory")
	x.picture("add")
	x.work()
}

// work pictures the demo's work as Ada sees it.
func (x *tab) work() {
	x.t.Helper()
	x.open("/settings/people")
	x.open(x.ask(`[...document.querySelectorAll("#people a")].find((a) => a.textContent === "Ana Admin").getAttribute("href")`))
	x.eval(`document.querySelector('form[action$="/bind"] [name=seat]').value = "ada"`)
	x.press(`form[action$="/bind"] button[type=submit]`)
	x.reads("holds the seat ada")
	x.open("/inbox")
	x.reads("Which do you want in the air there?")
	item := x.ask(`[...document.querySelectorAll("main a")].find((a) => a.textContent.includes("Which kites make it for the festival?")).getAttribute("href")`)
	x.picture("inbox")
	x.open("/work")
	x.picture("work")
	x.open(item)
	x.picture("item")
	x.open("/company")
	x.picture("company")
}

// picture keeps what the window shows, from the top of the page.
func (x *tab) picture(name string) {
	x.t.Helper()
	x.eval(`document.activeElement.blur(); scrollTo(0, 0)`)
	x.until("the whole page, drawn", `document.readyState === "complete" && document.fonts.status === "loaded" && scrollY === 0`)
	ctx, cancel := context.WithTimeout(x.ctx, 20*time.Second)
	defer cancel()
	taken, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		x.t.Fatal(err)
	}
	path := filepath.Join("..", "docs", "pictures", name+".png")
	if err := os.WriteFile(path, small(x.t, taken), 0o644); err != nil {
		x.t.Fatal(err)
	}
}

// small is the same picture in fewer bytes than a browser takes for it: pages
// have few colours, and what lies between them at the edges of letters may be
// the nearest of the 256 most used.
func small(t *testing.T, taken []byte) []byte {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(taken))
	if err != nil {
		t.Fatal(err)
	}
	reduced := image.NewPaletted(picture.Bounds(), mostUsed(picture))
	draw.Draw(reduced, reduced.Bounds(), picture, picture.Bounds().Min, draw.Src)
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, reduced); err != nil {
		t.Fatal(err)
	}
	if out.Len() > heaviest {
		t.Errorf("a picture has %d bytes, more than %d", out.Len(), heaviest)
	}
	return out.Bytes()
}

func mostUsed(picture image.Image) color.Palette {
	used := map[color.Color]int{}
	area := picture.Bounds()
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			used[picture.At(x, y)]++
		}
	}
	all := slices.SortedFunc(maps.Keys(used), func(a, b color.Color) int { return cmp.Compare(used[b], used[a]) })
	return all[:min(len(all), 256)]
}
