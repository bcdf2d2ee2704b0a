package report

import "fmt"

// rate is a row of the table of success.
type rate struct {
	Horizon
	Percent   string // solved
	Low, High string
}

func (p *page) addSuccess() {
	for _, h := range p.Success {
		low, high := Wilson(h.SolvedGraph, h.Queries)
		p.Rates = append(p.Rates, rate{h, share(h.SolvedGraph, h.Queries), fmt.Sprintf("%.1f", low),
			fmt.Sprintf("%.1f", high)})
	}
	if len(p.Baselines) == 0 {
		return
	}
	p.Methods = append(p.Methods, compare("STRIPS-WM", p.Success))
	for _, m := range p.Baselines {
		p.Methods = append(p.Methods, compare(m.Name, m.Success))
	}
}

// compared is a row of a table of methods: success in the true graph.
type compared struct {
	Name           string
	All, Low, High string // over all horizons, with its interval
	Longest        string
	Condition      // of an ablation
}

func compare(name string, success []Horizon) compared {
	c := compared{Name: name}
	if len(success) == 0 {
		return c
	}
	queries, graph := sums(success)
	low, high := Wilson(graph, queries)
	last := success[len(success)-1]
	c.All, c.Low, c.High = share(graph, queries), fmt.Sprintf("%.1f", low), fmt.Sprintf("%.1f", high)
	c.Longest = share(last.SolvedGraph, last.Queries)
	return c
}

func (p *page) addAblation() {
	for _, k := range p.Ablation {
		c := compare(k.Name, k.Success)
		c.Condition = k
		p.Ablations = append(p.Ablations, c)
	}
}

// strength is a row of the tables of calibration.
type strength struct {
	Calibration
	Share struct{ Right, Wrong, Certain, Unrecognized string }
	Error struct{ ECE, Brier string }
}

func (p *page) addCalibration() {
	for _, c := range p.Calibration {
		s := strength{Calibration: c}
		s.Share.Right, s.Share.Wrong = share(c.Right, c.Images), share(c.Wrong, c.Images)
		s.Share.Certain, s.Share.Unrecognized = share(c.WrongCertain, c.Images), share(c.Unrecognized,
			c.Images)
		s.Error.ECE, s.Error.Brier = fmt.Sprintf("%.4f", c.Together.ECE), fmt.Sprintf("%.4f",
			c.Together.Brier)
		p.Strengths = append(p.Strengths, s)
	}
}
