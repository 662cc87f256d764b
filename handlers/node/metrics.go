package node

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"crewlet/engine/tool"
)

// Metrics counts what this node does.
type Metrics struct {
	Registry *prometheus.Registry
	calls    *prometheus.CounterVec
	took     *prometheus.HistogramVec
}

// NewMetrics makes the registry with the process's own figures.
func NewMetrics() *Metrics {
	m := &Metrics{
		Registry: prometheus.NewRegistry(),
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "crewlet_calls_total", Help: "Calls of use cases, by tool and outcome.",
		}, []string{"tool", "outcome"}),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "crewlet_call_seconds", Help: "How long calls of use cases took, in seconds.",
			Buckets: []float64{.001, .003, .01, .03, .1, .3, 1, 3, 10, 60},
		}, []string{"tool"}),
	}
	m.Registry.MustRegister(m.calls, m.took, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Gauge adds a figure that is asked for when it is read.
func (m *Metrics) Gauge(name, help string, value func() float64) {
	m.Registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
}

// Landed counts one call; it is handed to the runner.
func (m *Metrics) Landed(spec tool.Spec, outcome string, took time.Duration) {
	m.calls.WithLabelValues(spec.Name, outcome).Inc()
	m.took.WithLabelValues(spec.Name).Observe(took.Seconds())
}
