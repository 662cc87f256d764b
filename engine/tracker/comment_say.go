package tracker

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/lib/pq"

	"crewlet/engine/changes"
	"crewlet/engine/org"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// saying is one comment on its way: what it says, what it asks, what it
// answers.
type saying struct {
	body     string
	ask      *Ask
	answers  *askRow
	choice   []string
	asked    org.Member // whom ask is put to
	due      moment
	id       string   // of the comment
	mentions []string // parties
}

// openAsk puts a question to somebody: a comment that asks. The item's row is
// locked, or new.
func (t *Tracker) openAsk(ctx context.Context, c *tool.Call, it *item, in Ask, dir *org.Directory) (saying, error) {
	if strings.TrimSpace(in.Body) == "" {
		return saying{}, refusal.Invalid.Say("Write the question.").On("ask.body")
	}
	return t.say(ctx, c, dir, it, saying{body: in.Body, ask: &in})
}

// say adds a comment to an item whose row is locked: the counts, who watches
// from now on, the log, and who hears of it.
func (t *Tracker) say(ctx context.Context, c *tool.Call, dir *org.Directory, it *item, s saying) (saying, error) {
	if err := t.checkSaying(ctx, c, dir, &s); err != nil {
		return s, err
	}
	if err := writeSaying(ctx, c, dir, it, s); err != nil {
		return s, err
	}
	if err := watch(ctx, c, *it, append([]string{c.By.Party()}, s.mentions...)); err != nil {
		return s, err
	}
	s.log(c, dir, *it)
	return s, t.tellSaying(ctx, c, dir, *it, s)
}

func (t *Tracker) checkSaying(ctx context.Context, c *tool.Call, dir *org.Directory, s *saying) error {
	var d draft
	d.note(fitting(s.body, maxComment, "body", "A comment"))
	if s.ask != nil {
		d.note(t.checkAsk(ctx, c, dir, s))
	}
	if s.answers != nil {
		d.note(s.answers.fits(s.body, s.choice))
	}
	s.mentions = mentionedIn(dir, s.body)
	s.id = uuid.Must(uuid.NewV7()).String()
	return d.refused()
}

// checkAsk finds whom a question is put to, and by when.
func (t *Tracker) checkAsk(ctx context.Context, c *tool.Call, dir *org.Directory, s *saying) error {
	var d draft
	asked, err := dir.Resolve(s.ask.To, "ask.to")
	if strings.EqualFold(s.ask.To, "me") || err == nil && asked.Party == c.By.Party() {
		err = refusal.Invalid.Say("That is you: a question is put to somebody else.").On("ask.to")
	}
	d.note(err)
	s.asked = asked
	if s.ask.Due != "" {
		zone, err := t.zone(ctx, c)
		if err != nil {
			return err
		}
		s.due, err = readDate(s.ask.Due, "ask.due", c.Now, zone)
		d.note(err)
	}
	return d.refused()
}

const (
	addComment = `
		INSERT INTO comments (id, item, author, author_name, author_as, body, at) VALUES ($1, $2, $3, $4, $5, $6, $7)`
	addAsk = `
		INSERT INTO asks (id, item, asker, addressee, options, multi, free, due_on, asked_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`
	closeAsk = `
		UPDATE asks SET state = 'answered', answer = $2, choice = $3, answered_by = $4, answered_at = $5
		WHERE id = $1 AND state = 'open'`
	countSaying = `
		UPDATE items SET comments = comments + $2, open_asks = open_asks + $3, updated_at = $4 WHERE id = $1
		RETURNING comments, open_asks`
)

// writeSaying writes the rows. The item's version stays: nobody who edits it
// is disturbed by what is said meanwhile.
func writeSaying(ctx context.Context, c *tool.Call, dir *org.Directory, it *item, s saying) error {
	asks := 0
	party := c.By.Party()
	_, err := c.Tx.ExecContext(ctx, addComment, s.id, it.ID, party, actorName(c, dir), c.By.RecordedAs(), s.body, c.Now)
	if err != nil {
		return fmt.Errorf("comment on %s: %w", it.Key(), err)
	}
	if s.ask != nil {
		asks++
		options, err := json.Marshal(s.ask.options())
		if err != nil {
			return fmt.Errorf("encode the options of a question: %w", err)
		}
		multi, free := s.ask.Decision != nil && s.ask.Decision.Multi, s.ask.Decision == nil || s.ask.Decision.Free
		due, _ := s.due.columns()
		if _, err := c.Tx.ExecContext(ctx, addAsk, s.id, it.ID, party, s.asked.Party, string(options), multi, free, due, c.Now); err != nil {
			return fmt.Errorf("ask on %s: %w", it.Key(), err)
		}
	}
	if s.answers != nil {
		asks--
		if _, err := c.Tx.ExecContext(ctx, closeAsk, s.answers.ID, s.id, pq.Array(s.chosen()), party, c.Now); err != nil {
			return fmt.Errorf("answer %s on %s: %w", s.answers.ID, it.Key(), err)
		}
	}
	if err := c.Tx.GetContext(ctx, it, countSaying, it.ID, 1, asks, c.Now); err != nil {
		return fmt.Errorf("count the comments of %s: %w", it.Key(), err)
	}
	it.UpdatedAt = c.Now
	return nil
}

// options numbers what there is to choose from.
func (a Ask) options() []Option {
	options := []Option{}
	if a.Decision != nil {
		for i, choice := range a.Decision.Options {
			options = append(options, Option{ID: strconv.Itoa(i + 1), Label: choice.Label, Consequence: choice.Consequence})
		}
	}
	return options
}

func (s saying) chosen() []string { return append([]string{}, s.choice...) }

// watchItem has parties watch, in their order, as long as there is room.
const watchItem = `
	INSERT INTO item_parties (item, party, role)
	SELECT $1::uuid, u.party, 'watcher' FROM unnest($2::text[]) WITH ORDINALITY AS u(party, ord)
	WHERE NOT EXISTS (SELECT FROM item_parties p WHERE p.item = $1 AND p.role = 'watcher' AND p.party = u.party)
	ORDER BY u.ord LIMIT greatest($3 - (SELECT count(*) FROM item_parties p WHERE p.item = $1 AND p.role = 'watcher'), 0)
	ON CONFLICT DO NOTHING`

// watch has parties follow an item from now on. Where no more may watch,
// what they said lands all the same.
func watch(ctx context.Context, c *tool.Call, it item, parties []string) error {
	var each []string
	seen := reasons{}
	for _, party := range parties {
		if _, ok := seen[party]; !ok && party != "" {
			seen.add(party, byWatching)
			each = append(each, party)
		}
	}
	if len(each) == 0 {
		return nil
	}
	if _, err := c.Tx.ExecContext(ctx, watchItem, it.ID, pq.Array(each), maxWatchers); err != nil {
		return fmt.Errorf("watch %s: %w", it.Key(), err)
	}
	return nil
}

// log writes what was said as history has it: its size, not its words.
func (s saying) log(c *tool.Call, dir *org.Directory, it item) {
	deltas := map[string]changes.Delta{"comment": {To: s.id}, "body": {To: size(s.body)}}
	if len(s.mentions) > 0 {
		deltas["mentions"] = changes.Delta{To: calledAll(dir, s.mentions)}
	}
	c.Changed("comment.added", it.object(), deltas)
	if s.ask != nil {
		c.Changed("ask.opened", it.object(), map[string]changes.Delta{"ask": {To: s.id}, "to": {To: calledBy(dir, s.asked.Party)}})
	}
	if s.answers != nil {
		answered := map[string]changes.Delta{"ask": {To: s.answers.ID}, "state": {From: "open", To: "answered"}}
		if chosen := chosenOf(s.answers.Options, s.choice); len(chosen) > 0 {
			answered["choice"] = changes.Delta{To: labels(chosen)}
		}
		c.Changed("ask.answered", it.object(), answered)
	}
}

func labels(options []Option) []string {
	words := []string{}
	for _, o := range options {
		words = append(words, o.Label)
	}
	return words
}

// tellSaying tells whom a comment reaches: who is asked and whose question is
// answered first, in their own words; then whom it names and who follows.
func (t *Tracker) tellSaying(ctx context.Context, c *tool.Call, dir *org.Directory, it item, s saying) error {
	if s.ask != nil {
		asked := notice{Kind: "ask.opened", Summary: "asked: " + excerpt(s.body), Comment: s.id}
		if err := t.tell(ctx, c, it, asked, reasons{s.asked.Party: byAsk}); err != nil {
			return err
		}
	}
	if s.answers != nil {
		answered := notice{Kind: "ask.answered", Summary: "answered: " + excerpt(s.inWords()), Comment: s.id}
		if err := t.tell(ctx, c, it, answered, reasons{s.answers.Asker: byAnswer}); err != nil {
			return err
		}
	}
	r, err := t.audience(ctx, c, dir, it)
	if err != nil {
		return err
	}
	for _, party := range s.mentions {
		r.add(party, byMention)
	}
	return t.tell(ctx, c, it, notice{Kind: "comment.added", Summary: "said: " + excerpt(s.inWords()), Comment: s.id}, r)
}

// inWords is a comment in words: what it chose, and what it says.
func (s saying) inWords() string {
	words := ""
	if s.answers != nil {
		for i, o := range chosenOf(s.answers.Options, s.choice) {
			if i > 0 {
				words += ", "
			}
			words += o.Label
		}
	}
	if words != "" && s.body != "" {
		words += ". "
	}
	return words + s.body
}
