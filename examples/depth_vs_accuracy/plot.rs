//! Plots as SVG.

use std::path::Path;

use plotters::coord::ranged1d::ValueFormatter;
use plotters::prelude::*;

/// A plot of lines over a common axis.
pub struct Plot<'a> {
    pub title: String,
    pub x: &'a str,
    pub y: &'a str,
    /// Whether the axes run in powers of ten.
    pub log: [bool; 2],
    /// Where the legend covers no line.
    pub legend: SeriesLabelPosition,
    pub lines: Vec<(String, Vec<(f64, f64)>)>,
}

const COLORS: [RGBColor; 8] = [
    RGBColor(31, 119, 180),
    RGBColor(214, 39, 40),
    RGBColor(44, 160, 44),
    RGBColor(148, 103, 189),
    RGBColor(255, 127, 14),
    RGBColor(23, 160, 180),
    RGBColor(140, 86, 75),
    RGBColor(90, 90, 90),
];

impl Plot<'_> {
    pub fn save(&self, path: &Path) -> Result<(), String> {
        let shown = |axis: usize| {
            let of = move |p: &(f64, f64)| if axis == 0 { p.0 } else { p.1 };
            let positive = self.log[axis];
            self.lines
                .iter()
                .flat_map(|line| &line.1)
                .map(of)
                .filter(move |v| !positive || *v > 0.0)
        };
        let range = |axis: usize| {
            let (low, high) =
                shown(axis).fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
            match self.log[axis] {
                true => (low * 0.8)..(high * 1.25),
                false if axis == 1 => low.min(0.0)..high * 1.05 + 1e-9,
                false => low - 0.03 * (high - low)..high + 0.03 * (high - low),
            }
        };
        let (x, y) = (range(0), range(1));
        let root = SVGBackend::new(path, (900, 520)).into_drawing_area();
        let said = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        root.fill(&WHITE).map_err(|e| said(&e))?;
        let mut builder = ChartBuilder::on(&root);
        builder
            .caption(&self.title, ("sans-serif", 21))
            .margin(12)
            .x_label_area_size(48)
            .y_label_area_size(74);
        let drawn = match self.log {
            [false, false] => builder.build_cartesian_2d(x, y).map(|c| self.draw(c)),
            [false, true] => builder.build_cartesian_2d(x, y.log_scale()).map(|c| self.draw(c)),
            [true, false] => builder.build_cartesian_2d(x.log_scale(), y).map(|c| self.draw(c)),
            [true, true] => {
                builder.build_cartesian_2d(x.log_scale(), y.log_scale()).map(|c| self.draw(c))
            }
        };
        drawn.map_err(|e| said(&e))?.map_err(|e| said(&e))?;
        root.present().map_err(|e| said(&e))
    }

    fn draw<'c, DB, X, Y>(
        &self,
        mut chart: ChartContext<'c, DB, Cartesian2d<X, Y>>,
    ) -> Result<(), String>
    where
        DB: DrawingBackend + 'c,
        X: Ranged<ValueType = f64> + ValueFormatter<f64>,
        Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        chart
            .configure_mesh()
            .x_desc(self.x)
            .y_desc(self.y)
            .axis_desc_style(("sans-serif", 17))
            .label_style(("sans-serif", 15))
            .x_label_formatter(&|v| number(*v))
            .y_label_formatter(&|v| number(*v))
            .light_line_style(RGBColor(238, 238, 238))
            .draw()
            .map_err(|e| e.to_string())?;
        for (index, (name, points)) in self.lines.iter().enumerate() {
            let color = COLORS[index % COLORS.len()];
            let keep = |p: &&(f64, f64)| (!self.log[0] || p.0 > 0.0) && (!self.log[1] || p.1 > 0.0);
            let points: Vec<(f64, f64)> = points.iter().filter(keep).copied().collect();
            chart
                .draw_series(LineSeries::new(points.clone(), color.stroke_width(2)))
                .map_err(|e| e.to_string())?
                .label(name)
                .legend(move |(x, y)| {
                    PathElement::new([(x, y), (x + 22, y)], color.stroke_width(3))
                });
            chart
                .draw_series(points.iter().map(|&p| Circle::new(p, 3, color.filled())))
                .map_err(|e| e.to_string())?;
        }
        chart
            .configure_series_labels()
            .position(self.legend.clone())
            .background_style(WHITE.mix(0.85))
            .border_style(RGBColor(200, 200, 200))
            .label_font(("sans-serif", 15))
            .draw()
            .map_err(|e| e.to_string())
    }
}

fn number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        v if v >= 1000.0 && v % 1000.0 == 0.0 => format!("{}k", value / 1000.0),
        v if v >= 10.0 => format!("{value:.0}"),
        v if v >= 1.0 => format!("{}", (value * 10.0).round() / 10.0),
        _ => format!("{}", (value * 1e4).round() / 1e4),
    }
}
